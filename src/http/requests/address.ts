import type { IncomingMessage } from 'node:http';

/**
 * The caller's address: that of the connection or, behind trusted proxies, the one that the
 * outermost of them saw. Anything before it in the header may be forged.
 */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies: number,
): string | undefined {
  if (proxies === 0) return socket.remoteAddress;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return forwarded.at(-proxies)?.trim() || socket.remoteAddress;
}
