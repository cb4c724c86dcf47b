import type { IncomingMessage } from 'node:http';

/**
 * The caller's address: that of the connection or, behind trusted proxies, the address that the outermost proxy
 * received the request from. Earlier entries of X-Forwarded-For may be forged.
 * @param proxies the number of trusted proxies
 */
export function addressOf(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  proxies: number,
): string | undefined {
  if (proxies === 0) return socket.remoteAddress;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  return forwarded.at(-proxies)?.trim() || socket.remoteAddress;
}
