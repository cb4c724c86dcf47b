import { createServer, type Socket } from 'node:net';

/** A server that accepts connections and never answers. */
export async function listenSilently(): Promise<Disposable & { origin: string }> {
  const sockets = new Set<Socket>();
  const net = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => net.listen(0, '127.0.0.1', resolve));
  const { port } = net.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      net.close();
    },
  };
}
