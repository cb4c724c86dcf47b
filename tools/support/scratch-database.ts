import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/db/core/migrate.ts';
import { createCitusDatabase, dropCitusDatabase, isCitus, oneAtATime } from './citus.ts';

/** An empty database with a unique name. It is dropped on dispose, even if clients are still connected. */
export type ScratchDatabase = AsyncDisposable & { url: string };

/** Shards of each table in a scratch database on Citus. */
const SHARDS = 8;

/**
 * Creates an empty database on the server of `url`, whose user needs the right to do so; on the coordinator of a Citus cluster
 * one with distributed tables.
 */
export async function createScratchDatabase(url: string): Promise<ScratchDatabase> {
  const name = `mnemograph_scratch_${process.pid}_${randomBytes(6).toString('hex')}`;
  if (await isCitus(url)) return createOnCitus(url, name);
  await administrate(url, `CREATE DATABASE ${name}`);
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    [Symbol.asyncDispose]: () => administrate(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function createOnCitus(url: string, name: string): Promise<ScratchDatabase> {
  const own = await oneAtATime(url, async () => {
    const made = await createCitusDatabase(url, name);
    await migrate({ connectionString: made }, { kind: 'distributed', shards: SHARDS });
    return made;
  });
  return { url: own, [Symbol.asyncDispose]: () => dropCitusDatabase(url, name) };
}

async function administrate(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
