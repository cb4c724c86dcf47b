import type pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { startEmbedded } from '../../src/db/embedded/embedded.ts';
import { Busy } from '../../src/domain/core/errors.ts';
import { createTestDatabase, snapshot } from '../support/database/database.ts';
import { type Client, createWorld } from '../support/world.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A little longer than a request waits for its turn, in milliseconds: the time limit of the look that follows does not pass. */
const LONG = 15_100;
const SELECT = { name: 'select', text: 'SELECT 1' };

const REMEMBER = `mutation { remember(input: { channel: "sms", turns: [{ text: "The lamp is mended." }] }) {
  ... on RememberPayload { turns { status } } ... on Error { code } } }`;
const READ = '{ viewer { turnCount threads { edges { node { turnCount } } } } }';
const RECALL = '{ recall(input: { query: "lamp" }) { ... on RecallPayload { hits { rank } } } }';

/** What a caller is told, and when to come back. */
const told = async (client: Client, query: string) => {
  const { status, body } = await client.post({ query });
  const { code, retryAfter } = (body.errors?.[0]?.extensions ?? {}) as Record<string, unknown>;
  return { status, code, retryAfter };
};

it('a database that is merely slow, and silent for long, is BUSY, with when to come back', async () => {
  await using database = await createTestDatabase();
  const connection = { ...database.connection, max: 1 };
  await using world = await createWorld(
    { EMBEDDER: 'none' },
    { connection: { connection, embedded: database.embedded } },
  );
  const ann = await world.user('ann');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let isWorking = false;
  let finish = () => {};
  const working = world.ctx.db.asUser('bob', async (tx) => {
    await tx.query(SELECT, []);
    isWorking = true;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  await vi.waitFor(() => expect(isWorking).toBe(true), 20_000);
  await vi.advanceTimersByTimeAsync(1_000);
  const answers = [REMEMBER, READ, RECALL].map((query) => told(ann, query));
  await vi.waitFor(() => expect(world.ctx.db.waiting()).toBe(answers.length), 20_000);
  await vi.advanceTimersByTimeAsync(LONG);
  const refused = await Promise.all(answers);
  finish();
  await working;
  vi.useRealTimers();
  const busy = { status: 503, code: 'BUSY', retryAfter: expect.any(Number) };
  expect(refused).toEqual([busy, busy, busy]);
  expect(await told(ann, REMEMBER)).toMatchObject({ status: 200 });
});

it('a transaction that went on too late, while others waited, is BUSY too, and undone', async () => {
  await using embedded = await startEmbedded({
    folder: null,
    snapshot: await snapshot(),
    idleTransactionMs: 100,
  });
  const connection: pg.PoolConfig = { ...embedded.connection, max: 3 };
  await using world = await createWorld(
    { EMBEDDER: 'none' },
    { connection: { connection, embedded: true } },
  );
  const ann = await world.user('ann');
  const { db } = world.ctx;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let goOn = () => {};
  const others = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const late = db.asUser('bob', async (tx) => {
    await tx.query(SELECT, []);
    begin();
    await others;
    await tx.query(SELECT, []);
  });
  const refused = expect(late).rejects.toThrow(Busy);
  await begun;
  expect(await told(ann, REMEMBER)).toMatchObject({ status: 200 });
  goOn();
  await refused;
});
