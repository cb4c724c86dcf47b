import { connect, createServer, type Server, type Socket } from 'node:net';
import type pg from 'pg';

/** A proxy between a server and its database that a test can interrupt. */
export type DatabaseProxy = AsyncDisposable & {
  /** The connection to the database through the proxy. */
  connection: pg.PoolConfig;
  /** Breaks every connection and accepts no new one. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  restore(): Promise<void>;
};

/** Starts a proxy to a database. */
export async function startProxy(target: pg.PoolConfig): Promise<DatabaseProxy> {
  const open = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const relay = (from: Socket) => {
    const to = connectTo(target);
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(socket);
      socket.on('data', (data) => other.write(data));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  };
  const restore = async () => {
    server = createServer(relay);
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
  };
  const cut = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await restore();
  return { connection: through(target, port), cut, restore, [Symbol.asyncDispose]: cut };
}

function connectTo({ connectionString, host, port }: pg.PoolConfig): Socket {
  if (connectionString === undefined) return connect(`${host}/.s.PGSQL.${port}`);
  const url = new URL(connectionString);
  return connect(Number(url.port), url.hostname);
}

function through(target: pg.PoolConfig, port: number): pg.PoolConfig {
  if (target.connectionString === undefined) return { ...target, host: '127.0.0.1', port };
  const url = new URL(target.connectionString);
  url.port = String(port);
  return { connectionString: url.href };
}
