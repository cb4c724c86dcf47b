import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a server below a path, as a reverse proxy does that strips it. */
export async function startPrefixProxy(
  target: string,
  prefix: string,
): Promise<AsyncDisposable & { origin: string }> {
  const { hostname, port } = new URL(target);
  const proxy = createServer((request, response) => {
    const { url = '', method, headers } = request;
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
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
