import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many connections are closed before the event loop runs other work. */
const AT_A_TIME = 50;

const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Closes connections that send an invalid request, or none in time. Only a few at a time: thousands of
 * connections that went silent together also time out together.
 */
export function endBrokenRequests(http: Server): void {
  const answering = new WeakSet<Duplex>();
  http.on('request', ({ socket }, response) => {
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });

  let waiting: { socket: Duplex; code: string | undefined }[] = [];
  const endSome = () => {
    const now = waiting.slice(0, AT_A_TIME);
    waiting = waiting.slice(AT_A_TIME);
    for (const { socket, code } of now) {
      // If a response has begun, the client would read another one as part of it.
      if (socket.writable && !answering.has(socket)) socket.write(answerTo(code));
      socket.destroy();
    }
    if (waiting.length > 0) setImmediate(endSome);
  };
  http.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    waiting.push({ socket, code });
    if (waiting.length === 1) setImmediate(endSome);
  });
}

function answerTo(code = ''): string {
  const status = STATUSES[code] ?? 400;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n\r\n`;
}
