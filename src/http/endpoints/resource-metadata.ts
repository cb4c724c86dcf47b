import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What OAuth clients read to find out who issues tokens for /mcp (RFC 9728). Nothing without a JWT issuer. */
export type ResourceMetadata = {
  /** Serves the metadata. @returns false for any other path */
  serve(path: string, request: IncomingMessage, response: ServerResponse): boolean;
  /** Says in a refusal for lack of credentials where the metadata is. */
  challenge(request: IncomingMessage, response: ServerResponse): void;
};

export function createResourceMetadata({
  auth: { jwksUrl, issuer },
  server: { publicUrl },
}: Pick<Config, 'auth' | 'server'>): ResourceMetadata {
  const isIssued = Boolean(jwksUrl && issuer);
  const baseOf = ({ headers }: IncomingMessage) =>
    publicUrl?.replace(/\/$/, '') ?? `http://${headers.host ?? 'localhost'}`;
  return {
    serve(path, request, response) {
      if (!isIssued || (path !== METADATA_PATH && path !== `${METADATA_PATH}/mcp`)) return false;
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(
        JSON.stringify({
          resource: `${baseOf(request)}/mcp`,
          resource_name: 'Mnemograph',
          authorization_servers: [issuer],
          bearer_methods_supported: ['header'],
        }),
      );
      return true;
    },
    challenge(request, response) {
      const url = `${baseOf(request)}${METADATA_PATH}/mcp`;
      const value = isIssued ? `Bearer resource_metadata="${url}"` : 'Bearer';
      response.setHeader('www-authenticate', value);
    },
  };
}
