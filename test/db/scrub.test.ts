import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/core/migrate.ts';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { FORGET_MEMORY, talk } from '../support/episodes.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld } from '../support/world.ts';

/** The files of a folder that hold a word, in any case. */
async function filesWith(folder: string, word: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
  const hits: string[] = [];
  for (const path of paths) {
    if ((await readFile(path, 'latin1')).toLowerCase().includes(word)) hits.push(path);
  }
  return hits;
}

it('forgotten words leave the files of the data folder: heap, TOAST, indexes, statistics and the WAL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-scrub-'));
  const housekeeping = { everyMs: 50, scrubAfterMs: 0 };
  try {
    const database = await startEmbedded({ folder, flush: false, housekeeping });
    await migrate(database.connection);
    const connection = { connection: database.connection, embedded: true };
    const world = await createWorld({ EMBEDDER: 'none' }, { connection });
    world.now = new Date('2026-03-05T12:00:00Z');
    const client = await world.user('ada');
    const long = Array.from({ length: 4_000 }, (_, at) => `quokka${at}`).join(' ');
    const texts = ['I never eat quokka.', long, 'My cat Quokka turned 4.', 'The quokka sleeps.'];
    const turns = talk([...texts, ...texts, ...texts], '2026-03-02T08:00:00Z');
    const newThread = { title: 'Quokka' };
    const [turn] = await say(client, { channel: 'quokka', newThread, turns });
    await say(client, { channel: 'sms', turns: [{ text: 'The heron stays.' }] });
    await world.settle();
    await world.ctx.db.pool.query('ANALYZE; CHECKPOINT');
    const held = await filesWith(folder, 'quokka');
    expect(held.some((path) => path.includes('pg_wal'))).toBe(true);
    expect(held.filter((path) => path.includes('/base/')).length).toBeGreaterThan(5);
    await client.execute(FORGET_MEMORY, { input: { threadId: turn?.thread.id ?? '' } });
    await expect.poll(() => existsSync(join(folder, 'scrubbed'))).toBe(true);
    await world[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    expect(await filesWith(folder, 'quokka')).toEqual([]);
    expect((await filesWith(folder, 'heron')).length).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
