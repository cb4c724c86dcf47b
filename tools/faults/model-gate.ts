import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a model's server that forwards everything, is unavailable, or accepts requests and never answers. */
export type ModelGate = AsyncDisposable & {
  baseUrl: string;
  set(state: 'open' | 'away' | 'silent'): void;
};

export async function startModelGate(modelUrl: string): Promise<ModelGate> {
  const model = new URL(modelUrl);
  const sockets = new Set<Socket>();
  let state: Parameters<ModelGate['set']>[0] = 'open';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Broken connections are the purpose of the gate.
    socket.on('error', () => undefined);
    return socket;
  };
  const server = createServer((socket) => {
    keep(socket);
    if (state === 'away') return void socket.destroy();
    if (state === 'silent') return void socket.resume();
    const upstream = keep(connect(Number(model.port), model.hostname));
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${model.pathname}`,
    set(next) {
      state = next;
      hangUp();
    },
    async [Symbol.asyncDispose]() {
      hangUp();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
