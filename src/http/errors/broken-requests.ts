import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Connections that are ended at a time; between them others get their turn. */
const AT_A_TIME = 50;

const STATUSES: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Ends connections that send what is no request, or none in time: a few at a time, since thousands
 * that were silent from the same moment on are given up at the same moment.
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
      // In the midst of an answer another one would be taken for a part of it.
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
