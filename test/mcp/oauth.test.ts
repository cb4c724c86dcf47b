import {
  checkResourceAllowed,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../support/server.ts';

const ISSUED = {
  JWT_SECRET: '',
  JWT_JWKS_URL: 'https://issuer.test/jwks',
  JWT_ISSUER: 'https://issuer.test',
};
const METADATA = '/.well-known/oauth-protected-resource/mcp';

/** What a server answers to a host without credentials, and where it sends it, as the official client reads it. */
async function refusalOf({ origin }: TestServer) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response);
  return { status: response.status, metadata: resourceMetadataUrl?.href };
}

it('a host without credentials is told by the server who issues tokens for its MCP endpoint', async () => {
  await using server = await createTestServer(ISSUED);
  const metadata = server.origin + METADATA;
  expect(await refusalOf(server)).toEqual({ status: 401, metadata });
  expect(await discoverOAuthProtectedResourceMetadata(`${server.origin}/mcp`)).toMatchObject({
    resource: `${server.origin}/mcp`,
    authorization_servers: [ISSUED.JWT_ISSUER],
    bearer_methods_supported: ['header'],
  });
});

it('with PUBLIC_URL the MCP endpoint and its metadata have the address that clients use', async () => {
  await using server = await createTestServer({
    ...ISSUED,
    PUBLIC_URL: 'https://memory.example.com',
  });
  const metadata = `https://memory.example.com${METADATA}`;
  expect(await refusalOf(server)).toEqual({ status: 401, metadata });
  const { resource } = await discoverOAuthProtectedResourceMetadata(`${server.origin}/mcp`);
  expect(resource).toBe('https://memory.example.com/mcp');
  const isAllowed = (requestedResource: string) =>
    checkResourceAllowed({ requestedResource, configuredResource: resource });
  expect(isAllowed('https://memory.example.com/mcp')).toBe(true);
  expect(isAllowed('http://memory.example.com/mcp')).toBe(false);
});
