import type { IncomingMessage } from 'node:http';

/**
 * The address that calls: of the connection or, behind so many proxies of ours, the one that the
 * outermost of them saw. What stands before it in the header anybody can write.
 */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies: number,
): string | undefined {
  if (proxies === 0) return socket.remoteAddress;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return forwarded.at(-proxies)?.trim() || socket.remoteAddress;
}
