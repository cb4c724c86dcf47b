import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** An empty database with a unique name. It is dropped on dispose, even if clients are still connected. */
export type ScratchDatabase = AsyncDisposable & { url: string };

/** Creates an empty database on the server of `url`, whose user needs the right to do so. */
export async function createScratchDatabase(url: string): Promise<ScratchDatabase> {
  const name = `mnemograph_scratch_${process.pid}_${randomBytes(6).toString('hex')}`;
  await administrate(url, `CREATE DATABASE ${name}`);
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  return {
    url: scratch.href,
    [Symbol.asyncDispose]: () => administrate(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
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
