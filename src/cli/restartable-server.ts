import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratchDatabase } from './scratch-database.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Where the data of a server is that is killed and started again: a database or a folder of its own, removed on dispose. */
export type ServerPlace = AsyncDisposable & { start(): Promise<ServerProcess> };

/** @param databaseUrl PostgreSQL server to make a database on; without it the server runs embedded */
export async function makeServerPlace(databaseUrl: string | undefined): Promise<ServerPlace> {
  let apiKey: string | undefined;
  const starter = (settings: { env?: { DATABASE_URL: string }; dataDir?: string }) => async () => {
    const server = await startServerProcess({ ...settings, ...(apiKey ? { apiKey } : {}) });
    apiKey = server.apiKey;
    return server;
  };
  if (databaseUrl) {
    const scratch = await createScratchDatabase(databaseUrl);
    return {
      start: starter({ env: { DATABASE_URL: scratch.url } }),
      [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
    };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'mnemograph-killed-'));
  return {
    start: starter({ dataDir }),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}
