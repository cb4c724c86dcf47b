import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { type Embedded, startEmbedded } from '../../../src/db/embedded/embedded.ts';
import { DataFolderLocked } from '../../../src/db/embedded/folder-lock.ts';
import { openConfigured } from '../../../src/open-database.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

describe('a data folder', () => {
  let folder: string;

  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'mg-test-')), 'data');
  });

  afterAll(() => rm(dirname(folder), { recursive: true, force: true }));

  it('the data folder keeps every acknowledged commit of a killed process, and is free again at once', async () => {
    const first = await startInChild(folder);
    await expect(startEmbedded({ folder })).rejects.toMatchObject({
      name: 'DataFolderLocked',
      pid: first.pid,
      folder,
    });

    const acknowledged = await kill(first);
    expect(acknowledged).toBeGreaterThan(0);

    const { embedded, count } = await reopen(folder);
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    await embedded[Symbol.asyncDispose]();
  }, 60_000);

  it('the embedded database restarts after PostgreSQL gave up, with every acknowledged commit', async () => {
    const embedded = await startEmbedded({ folder });
    const pool = new pg.Pool(embedded.connection);
    pool.on('error', () => {});
    await pool.query('CREATE TABLE kept AS SELECT 1 AS number');
    const log = join(folder, 'postgres', 'pg_wal');
    await rename(log, `${log}-away`);
    const write = `SELECT pg_logical_emit_message(true, 'x', repeat(md5(random()::text), 20000))`;
    const failed = async () => pool.query(write).then(() => null, String);
    await expect.poll(failed).toMatch(/Connection terminated|pg_wal/);
    await rename(`${log}-away`, log);
    const kept = async () => (await pool.query('SELECT number FROM kept').catch(() => null))?.rows;
    await expect.poll(kept).toEqual([{ number: 1 }]);
    await pool.query('DROP TABLE kept');
    await pool.end();
    await embedded[Symbol.asyncDispose]();
  }, 60_000);

  it('the embedded database is for its owner only, and leaves no socket behind', async () => {
    const embedded = await startEmbedded({ folder });
    const room = String(embedded.connection.host);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(room)).mode & 0o777).toBe(0o700);
    await embedded[Symbol.asyncDispose]();
    await embedded[Symbol.asyncDispose]();
    expect(existsSync(room)).toBe(false);
  }, 30_000);

  it('the data folder goes to exactly one of several servers that start at once', async () => {
    const starts = await Promise.allSettled([1, 2, 3, 4].map(() => startEmbedded({ folder })));
    const winners = starts.filter((start) => start.status === 'fulfilled');
    const losers = starts.filter((start) => start.status === 'rejected');
    expect(winners).toHaveLength(1);
    for (const { reason } of losers) expect(reason).toBeInstanceOf(DataFolderLocked);
    await winners[0]?.value[Symbol.asyncDispose]();
  }, 30_000);
});

it('a database in memory starts from the image that was built, with the tables', async () => {
  const { database } = loadConfig({ DATA_DIR: 'memory' });
  await using opened = await openConfigured(database, pino({ level: 'silent' }));
  const client = new pg.Client(opened.connection);
  await client.connect();
  const { rows } = await client.query("SELECT to_regclass('turns') IS NOT NULL AS exists");
  await client.end();
  expect(rows).toEqual([{ exists: true }]);
}, 30_000);

const CHILD = `
  const start = async () => {
    const { startEmbedded } = await import('${ROOT}src/db/embedded/embedded.ts');
    const { connection } = await startEmbedded({ folder: process.argv[1] });
    const pool = new (require('pg').Pool)(connection);
    await pool.query('CREATE TABLE IF NOT EXISTS counted (number int PRIMARY KEY)');
    console.log('ready');
    for (let number = 1; ; number += 1) {
      await pool.query('INSERT INTO counted VALUES ($1)', [number]);
      process.stdout.write(number + '\\n');
    }
  };
  void start();`;

/** A process that starts the database and inserts rows, saying so, until it is killed. */
async function startInChild(folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--eval', CHILD, folder], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

/** Kills the process without warning; the highest number it acknowledged. */
async function kill(child: ChildProcess): Promise<number> {
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  const highest = () =>
    Math.max(0, ...said.split('\n').slice(0, -1).map(Number).filter(Number.isFinite));
  await expect.poll(highest).toBeGreaterThan(100);
  child.kill('SIGKILL');
  await once(child, 'close');
  return highest();
}

async function reopen(folder: string): Promise<{ embedded: Embedded; count: number }> {
  const embedded = await startEmbedded({ folder });
  const client = new pg.Client(embedded.connection);
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS count FROM counted');
  await client.end();
  return { embedded, count: rows[0].count };
}
