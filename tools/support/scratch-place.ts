import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratchDatabase } from './scratch-database.ts';

/** Settings for a new database, which several processes can use one after another, or together on PostgreSQL. */
export type ScratchPlace = AsyncDisposable & { env: Record<string, string> };

/** Creates a database on this PostgreSQL server, or a folder for an embedded one. It is removed on dispose. */
export async function createScratchPlace(databaseUrl: string | undefined): Promise<ScratchPlace> {
  if (databaseUrl) {
    const scratch = await createScratchDatabase(databaseUrl);
    return {
      env: { DATABASE_URL: scratch.url },
      [Symbol.asyncDispose]: scratch[Symbol.asyncDispose],
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-'));
  return {
    env: { DATA_DIR: folder },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
