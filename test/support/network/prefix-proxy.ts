import { createServer, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * Serves a server below a path, as a reverse proxy does that strips it.
 * @param hasSockets whether it lets WebSockets through
 */
export async function startPrefixProxy(
  target: string,
  prefix: string,
  hasSockets = true,
): Promise<AsyncDisposable & { origin: string }> {
  const { hostname, port } = new URL(target);
  const proxy = createServer((request, response) => {
    const { url = '', method } = request;
    // Headers for this connection only are not passed on.
    const { connection: _connection, upgrade: _upgrade, ...headers } = request.headers;
    if (!url.startsWith(`${prefix}/`)) return response.writeHead(404).end();
    const path = url.slice(prefix.length);
    const passed = send({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    return request.pipe(passed);
  });
  if (hasSockets) {
    proxy.on('upgrade', ({ url = '', rawHeaders }, socket, head) => {
      const headers = rawHeaders.map((part, place) => part + (place % 2 ? '\r\n' : ': ')).join('');
      const passed = connect(Number(port), hostname);
      passed.write(`GET ${url.slice(prefix.length)} HTTP/1.1\r\n${headers}\r\n`);
      passed.write(head);
      for (const [end, other] of [
        [socket, passed],
        [passed, socket],
      ] as const) {
        end.pipe(other);
        end.on('error', () => other.destroy());
        end.on('close', () => other.destroy());
      }
    });
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
