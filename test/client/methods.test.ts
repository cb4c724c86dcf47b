import { createMemory, type Memory } from '@mnemograph/client';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureOf } from '../support/client/failure-of.ts';
import { graphql } from '../support/generated/gql.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
let memory: Memory;
beforeAll(async () => {
  server = await createTestServer();
  memory = createMemory({ url: server.origin, token: () => userToken('ada') });
  await memory.remember('Marta is vegetarian, so the flat in Porto needs a kitchen.', {
    channel: 'sms',
    speaker: 'Ada',
    occurredAt: '2026-03-01T09:00:00Z',
  });
  await server.world.settle();
});
afterAll(() => server[Symbol.asyncDispose]());

it('remember stores a text, or several turns, and a turn with the same key only once', async () => {
  const own = createMemory({ url: `${server.origin}/graphql`, token: await userToken('bob') });
  const one = await own.remember('Hello.', { channel: 'sms', idempotencyKey: 'a' });
  expect(one.turns.map(({ status, turn }) => [status, turn?.text])).toEqual([['STORED', 'Hello.']]);
  const again = await own.remember({
    channel: 'sms',
    turns: [{ text: 'Hello.', idempotencyKey: 'a' }, { text: 'How are you?' }],
  });
  expect(again.turns.map(({ status }) => status)).toEqual(['ALREADY_STORED', 'STORED']);
  const threaded = await own.remember('To Porto!', {
    channel: 'web',
    newThread: { title: 'Porto' },
  });
  expect(threaded.turns[0]?.turn?.thread.title).toBe('Porto');
  const conflict = await failureOf(
    own.remember('Other words.', { channel: 'sms', idempotencyKey: 'a' }),
  );
  expect(conflict.code).toBe('IDEMPOTENCY_CONFLICT');
});

it('recall returns hits that are narrowed by their kind, and text for a prompt', async () => {
  const { hits, markdown, tokens } = await memory.recall('Who is vegetarian in Porto?', {
    first: 3,
    neighbours: 1,
    kinds: ['TURN'],
  });
  const [hit] = hits;
  if (hit?.kind !== 'TURN') return expect.unreachable();
  expect(hit.turn).toMatchObject({ speaker: 'Ada', channel: 'sms', thread: { title: null } });
  expect(hit.before).toEqual([]);
  expect(hit.explain.bm25Rank).toBe(1);
  expect(markdown).toContain('Marta is vegetarian');
  expect(tokens).toBeGreaterThan(5);
});

it('context assembles a prompt within its budget', async () => {
  const context = await memory.context('Where is the kitchen?', { channel: 'sms', maxTokens: 500 });
  expect(context.markdown).toContain('Porto');
  expect(context.tokens).toBeLessThanOrEqual(500);
  expect(context.mode).toBe('IMPLICIT');
  const tokens = context.sections.map((section) => section.tokens);
  expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(context.tokens);
});

it('a context needs no channel, as remember needs none', async () => {
  const own = createMemory({ url: server.origin, token: await userToken('no-ceremony') });
  await own.remember('I have a canary.');
  const context = await own.context('What did I just say?');
  expect(context.mode).toBe('IMPLICIT');
  expect(context.thread).not.toBeNull();
  expect(context.markdown).toContain('canary');
});

it('recall tells its stages when asked, and explainMiss what kept a memory out of the hits', async () => {
  const query = 'Who is vegetarian in Porto?';
  const { hits, stages } = await memory.recall(query, { kinds: ['TURN'], stages: true });
  expect(stages.map(({ name }) => name)).toContain('SCORES');
  const scored = stages.find(({ name }) => name === 'SCORES')?.candidates ?? [];
  const [hit] = hits;
  if (hit?.kind !== 'TURN') return expect.unreachable();
  expect(scored[0]).toMatchObject({ id: hit.turn.id, rank: 1, kept: true });
  expect(await memory.recall(query, { kinds: ['TURN'] })).not.toHaveProperty('stages');
  const found = await memory.explainMiss(hit.turn.id, { query });
  expect(found).toMatchObject({ isHit: true, reason: null, rank: 1 });
  const filtered = await memory.explainMiss(hit.turn.id, { query, channels: ['email'] });
  expect(filtered).toMatchObject({ isHit: false, reason: 'FILTERED', score: null });
  const unknown = await failureOf(memory.explainMiss('nonsense', { query }));
  expect(unknown.code).toBe('NOT_FOUND');
});

it('recall answers as of an earlier moment', async () => {
  const asOf = '2026-02-28T00:00:00Z';
  const { hits } = await memory.recall('vegetarian', { asOf, kinds: ['TURN'] });
  expect(hits).toEqual([]);
});

it('activity counts what happened, by kind and bucket', async () => {
  const counted = await memory.activity({ from: '2026-03-01T00:00:00Z', kinds: ['TURN'] });
  expect(counted[0]).toMatchObject({ kind: 'TURN', event: null, count: 1 });
  const span = { from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z' };
  expect(await memory.activity({ ...span, kinds: ['TURN'] })).toEqual([]);
});

it('facts are recorded, read page by page, retracted, restored and pinned', async () => {
  let pages = 0;
  const { facts } = createMemory({
    url: server.origin,
    token: await userToken('cleo'),
    // Pages of two, so that five facts are several.
    fetch: (url, init) => {
      const body = String(init?.body);
      if (body.includes('first: 100')) pages += 1;
      return fetch(url, { ...init, body: body.replace('first: 100', 'first: 2') });
    },
  });
  const values = ['One', 'Two', 'Three', 'Four', 'Five'];
  const recorded = [];
  for (const value of values) recorded.push(await facts.record({ category: 'INTEREST', value }));
  const read = async (filter = {}) => {
    const found = [];
    for await (const { value } of facts.all(filter)) found.push(value);
    return found.sort();
  };
  expect(await read()).toEqual([...values].sort());
  expect(pages).toBe(3);
  expect(await read({ category: 'GOAL' })).toEqual([]);
  const id = recorded[0]?.id ?? '';
  expect((await facts.retract(id)).active).toBe(false);
  expect(await read()).toHaveLength(4);
  expect((await facts.restore(id)).active).toBe(true);
  expect((await facts.pin(id)).pinned).toBe(true);
  expect((await facts.pin(id, false)).pinned).toBe(false);
  expect(await facts.get(id)).toMatchObject({ value: 'One', history: [{ id }], turns: [] });
});

it('forget erases, and says how much, and what with preview; what is not there is an error with a code', async () => {
  const own = createMemory({ url: server.origin, token: await userToken('dora') });
  const { turns } = await own.remember('Forget me.', { channel: 'sms' });
  const turnId = turns[0]?.turn?.id ?? '';
  const preview = await own.forget({ turnId }, { preview: true });
  expect(preview).toMatchObject({ isPreview: true, turns: 1 });
  expect(preview.items.map(({ line }) => line)).toContain('Forget me.');
  const gone = await own.forget({ turnId });
  expect(gone).toMatchObject({ isPreview: false, turns: 1, episodes: 0, items: [] });
  const { code, retryable, message } = await failureOf(own.forget({ turnId }));
  expect({ code, retryable }).toEqual({ code: 'NOT_FOUND', retryable: false });
  expect(message).toContain('There is no');
});

it('export streams the whole memory as lines of JSON', async () => {
  const { bytes, stream } = await memory.export();
  const text = await new Response(stream).text();
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).not.toHaveLength(0);
  expect(text).toContain('Marta is vegetarian');
});

const COUNT = graphql(`
  query CountOfTurns {
    viewer {
      turnCount
    }
  }
`);

it('request sends any operation: typed, as a text, or parsed with a printer', async () => {
  const typed = await memory.request(COUNT);
  expect(typed.viewer?.turnCount).toBe(1);
  expect(await memory.request('{ viewer { turnCount } }')).toEqual(typed);
  const parsed = parse('{ viewer { turnCount } }', { noLocation: true });
  expect((await failureOf(memory.request(parsed as never))).message).toContain('print');
  const printing = createMemory({ url: server.origin, token: await userToken('ada'), print });
  expect(await printing.request(parsed as never)).toEqual(typed);
  const wrong = await failureOf(memory.request('{ viewer { turnCont } }'));
  expect(wrong).toMatchObject({ status: 400, retryable: false });
  expect(wrong.message).toContain('turnCont');
});

it('refused credentials are an error with the status', async () => {
  const stranger = createMemory({ url: server.origin, token: 'not a token' });
  expect(await failureOf(stranger.recall('Who?'))).toMatchObject({
    code: 'UNAUTHENTICATED',
    status: 401,
  });
});
