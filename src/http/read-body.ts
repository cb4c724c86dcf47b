import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body up to a size and leaves it in `request.body`, where the GraphQL server
 * looks for it first.
 * @returns false when the body is larger; the rest of it is not read
 */
export async function readBody(request: IncomingMessage, most: number): Promise<boolean> {
  if (Number(request.headers['content-length'] ?? 0) > most) return false;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) return false;
    parts.push(part);
  }
  Object.assign(request, { body: Buffer.concat(parts) });
  return true;
}
