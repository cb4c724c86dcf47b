import { createScratchPlace } from './scratch-place.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Where the data of a server is that is killed and started again: a database or a folder of its own, removed on dispose. */
export type ServerPlace = AsyncDisposable & { start(): Promise<ServerProcess> };

/** @param databaseUrl PostgreSQL server to make a database on; without it the server runs embedded */
export async function makeServerPlace(databaseUrl: string | undefined): Promise<ServerPlace> {
  const place = await createScratchPlace(databaseUrl);
  let apiKey: string | undefined;
  return {
    async start() {
      const server = await startServerProcess({ env: place.env, ...(apiKey ? { apiKey } : {}) });
      apiKey = server.apiKey;
      return server;
    },
    [Symbol.asyncDispose]: place[Symbol.asyncDispose],
  };
}
