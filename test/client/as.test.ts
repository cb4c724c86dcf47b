import { createMemory, type Followed, type Memory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { some } from '../support/client/client-streams.ts';
import { failureOf } from '../support/client/failure-of.ts';
import { FLAT, linksOf, tellThreads } from '../support/links.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let application: Memory;
beforeAll(async () => {
  server = await createTestServer();
  const { secret } = await createApiKey(server.world.ctx, 'client');
  application = createMemory({ url: server.origin, apiKey: secret });
});
afterAll(() => server[Symbol.asyncDispose]());

it('with an API key, as() chooses the memory of every method', async () => {
  const { code, issues } = await failureOf(application.remember('Hello.', { channel: 'sms' }));
  expect({ code, paths: issues.map(({ path }) => path) }).toEqual({
    code: 'INVALID_INPUT',
    paths: [expect.stringContaining('userId')],
  });

  const zoe = application.as('zoe');
  const { turns } = await zoe.remember('Zoe sails.', { channel: 'sms' });
  const fact = await zoe.facts.record({ category: 'INTEREST', value: 'sailing' });
  await server.world.settle();
  const found = [];
  for await (const { id } of zoe.facts.all()) found.push(id);
  expect(found).toContain(fact.id);
  expect(await zoe.facts.get(fact.id)).toMatchObject({ value: 'sailing' });
  expect(await zoe.facts.pin(fact.id)).toMatchObject({ pinned: true });
  expect(await zoe.facts.retract(fact.id)).toMatchObject({ active: false });
  expect(await zoe.facts.restore(fact.id)).toMatchObject({ active: true });
  expect((await zoe.recall('sails', { kinds: ['TURN'] })).hits).toHaveLength(1);
  expect((await zoe.context('Who sails?', { channel: 'sms' })).markdown).toContain('sails');
  expect((await zoe.export()).bytes).toBeGreaterThan(0);
  expect((await failureOf(application.as('yan').facts.retract(fact.id))).code).toBe('NOT_FOUND');
  expect(await zoe.forget({ turnId: turns[0]?.turn?.id ?? '' })).toMatchObject({ turns: 1 });
  expect(await application.forget({ everythingOf: 'zoe' })).toMatchObject({ facts: 1 });
});

it('with an API key, as() chooses whose past is imported, counted and explained', async () => {
  const { importConversation } = application.as('ivy');
  const turns = [
    {
      speaker: 'Ivy',
      text: 'The ferry to Skye leaves at six.',
      occurredAt: '2025-05-01T08:00:00Z',
    },
    { speaker: 'Max', text: 'I will be there.', occurredAt: '2025-05-01T08:01:00Z' },
  ];
  expect(await importConversation({ self: 'Ivy', turns })).toMatchObject({ stored: 2 });
  await server.world.settle();
  const query = 'When does the ferry leave?';
  const { hits } = await application.as('ivy').recall(query, { kinds: ['TURN'] });
  const [hit] = hits;
  if (hit?.kind !== 'TURN') return expect.unreachable();
  const day = { from: '2025-05-01T00:00:00Z', to: '2025-05-02T00:00:00Z' };
  const missOf = (user: string) => application.as(user).explainMiss(hit.turn.id, { query });
  const countOf = async (user: string) => {
    const counted = await application.as(user).activity({ ...day, kinds: ['TURN'] });
    return counted.reduce((sum, { count }) => sum + count, 0);
  };
  expect(await missOf('ivy')).toMatchObject({ isHit: true });
  expect((await failureOf(missOf('max'))).code).toBe('NOT_FOUND');
  expect(await countOf('ivy')).toBe(2);
  expect(await countOf('max')).toBe(0);
  const unnamed = await failureOf(application.explainMiss(hit.turn.id, { query }));
  expect(unnamed.code).toBe('INVALID_INPUT');
});

/** The first item of a stream from its start that passes, and the place behind it. */
async function firstIn<Item>(stream: Followed<Item>, passes: (item: Item) => boolean) {
  for await (const item of stream) if (passes(item)) return item;
  return expect.unreachable();
}

it('with an API key, as() chooses whose events, compactions and linking are followed', async () => {
  const users = ['lea', 'tom'];
  for (const user of users) {
    const client = await server.world.user(user);
    await tellThreads(server.world, client, FLAT.slice(0, 2));
  }
  for (const user of users) {
    const memory = application.as(user);
    const { links, threads } = await linksOf(await server.world.user(user));
    const own = threads.map(({ id }) => id);
    const [event] = await some(memory.events({ kinds: ['THREAD_OPENED'], fromStart: true }), 1);
    expect(own).toContain(event?.thread?.id);
    const [compaction] = await some(memory.compactions({ fromStart: true }), 1);
    expect(own).toContain(compaction?.thread?.id);
    const isVerdict = ({ stage }: { stage: string }) => stage === 'VERDICT';
    const verdict = await firstIn(memory.linking({ fromStart: true }), isVerdict);
    expect(verdict.link?.id).toBe(links[0]?.id);
    expect(await memory.newestCursor()).toBeDefined();
  }
  expect(await application.as('nobody').newestCursor()).toBeUndefined();
  const streams = [application.events(), application.compactions(), application.linking()];
  for (const stream of streams) {
    expect((await failureOf(some<unknown>(stream, 1))).code).toBe('INVALID_INPUT');
  }
});

it('with an API key and nobody chosen, what lists a memory says that as() is needed, instead of listing nothing', async () => {
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  for (const list of [
    () => application.facts.all().next(),
    () => application.activity(span),
    () => application.newestCursor(),
  ]) {
    expect(await failureOf(list())).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('choose one by as()'),
      issues: [{ path: 'userId' }],
    });
  }
  expect(await application.as('nobody yet').newestCursor()).toBeUndefined();
});
