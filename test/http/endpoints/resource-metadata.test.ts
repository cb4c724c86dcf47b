import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createResourceMetadata } from '../../../src/http/endpoints/resource-metadata.ts';

const PATH = '/.well-known/oauth-protected-resource/mcp';

/** Asks for the metadata, and for the challenge, on a server with these settings. */
async function ask(settings: Record<string, string>) {
  const metadata = createResourceMetadata(loadConfig(settings));
  const http = createServer((request, response) => {
    if (metadata.serve(request.url ?? '', request, response)) return;
    metadata.challenge(request, response);
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const [found, refused] = await Promise.all([fetch(origin + PATH), fetch(`${origin}/mcp`)]);
  const answer = {
    origin,
    status: found.status,
    body: await found.json(),
    challenge: refused.headers.get('www-authenticate'),
  };
  await refused.text();
  http.closeAllConnections();
  http.close();
  return answer;
}

it('the resource metadata name the issuer of user tokens to OAuth clients, at the address that clients use', async () => {
  const issued = {
    JWT_JWKS_URL: 'https://issuer.test/jwks',
    JWT_ISSUER: 'https://issuer.test',
  };
  const { origin, body, challenge } = await ask(issued);
  expect(body).toMatchObject({
    resource: `${origin}/mcp`,
    authorization_servers: ['https://issuer.test'],
  });
  expect(challenge).toBe(`Bearer resource_metadata="${origin}${PATH}"`);
  const proxied = await ask({ ...issued, PUBLIC_URL: 'https://memory.example.com/' });
  expect(proxied.body).toMatchObject({ resource: 'https://memory.example.com/mcp' });
});

it('without an issuer a server has no resource metadata', async () => {
  expect(await ask({})).toMatchObject({ status: 401, challenge: 'Bearer' });
});
