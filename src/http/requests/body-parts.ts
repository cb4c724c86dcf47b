import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused } from '../errors/refused.ts';
import { withTimeout } from '../errors/with-timeout.ts';

/** How long a body may take, in milliseconds. */
type Patience = {
  /** How long nothing may arrive. */
  still: number;
  /** In total. */
  total?: number;
};

/** Yields the parts of a body as they arrive. @throws Refused with 408 if they do not arrive in time */
export async function* bodyParts(
  request: IncomingMessage,
  { still, total = Number.POSITIVE_INFINITY }: Patience,
): AsyncGenerator<Buffer> {
  const parts: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  const end = performance.now() + total;
  for (;;) {
    const left = Math.max(0, Math.min(still, end - performance.now()));
    const next = await withTimeout(left, parts.next(), () => tooSlow(still, total));
    if (next.done) return;
    yield next.value;
  }
}

function tooSlow(still: number, total: number): Refused {
  const inAll = Number.isFinite(total) ? `, or the whole took longer than ${total / 1000} s` : '';
  const message = `Nothing of the request body arrived for ${still / 1000} s${inAll}. Send it without pauses.`;
  return new Refused(408, 'REQUEST_TIMEOUT', message);
}

/**
 * Closes the connection some time after the response, unless the request has been received in full by then.
 * Not at once, since a client that sends a large body reads the response only afterwards. But a client that
 * sends byte by byte would otherwise keep the connection open for hours.
 * @param linger how long to wait after the response, in milliseconds
 */
export function closeIfUnread(
  request: IncomingMessage,
  response: ServerResponse,
  linger: number,
): void {
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    const end = () => {
      if (!request.complete) request.socket.destroy();
    };
    setTimeout(end, linger).unref();
  });
}
