import { afterAll, beforeAll, expect, it } from 'vitest';
import { REMEMBER, say, sayAt, turnsOf } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function refused(client: Client, input: Record<string, unknown>) {
  const { remember } = await client.execute(REMEMBER, { input: input as never });
  return remember;
}

it('every turn is stored word for word', async () => {
  const client = await world.user('verbatim');
  const texts = [
    '  spaces kept \n\t',
    "O'Brien; DROP TABLE turns --",
    '日本語 🎉 é é',
    '"quoted" \\n $1',
  ];
  await say(client, {
    channel: 'SMS ',
    turns: [
      ...texts.map((text) => ({ text })),
      {
        text: 'a tool ran',
        role: 'ASSISTANT',
        speaker: 'Ada',
        channel: 'email',
        occurredAt: '2026-03-02T08:30:00.123Z',
        toolCalls: [{ name: 'weather', ok: true, result: '{"high":72}' }],
      },
    ],
  });
  const turns = await turnsOf(client);
  expect(turns.map((turn) => turn.text)).toEqual(['a tool ran', ...texts]);
  expect(turns[0]).toMatchObject({
    role: 'ASSISTANT',
    speaker: 'Ada',
    channel: 'email',
    occurredAt: '2026-03-02T08:30:00.123Z',
    recordedAt: '2026-03-02T09:00:00.000Z',
    toolCalls: [{ name: 'weather', ok: true, result: '{"high":72}' }],
  });
  expect(turns[1]).toMatchObject({ role: 'USER', channel: 'sms', toolCalls: [] });
});

it('the hot path is one transaction of four statements in two round trips, without a model call', async () => {
  const client = await world.user('hot');
  let calls = 0;
  const { embedder } = world.ctx;
  if (embedder) {
    world.with({
      embedder: {
        ...embedder,
        embed: (...args) => {
          calls += 1;
          return embedder.embed(...args);
        },
      },
    });
  }
  await sayAt(client, '08:00', 'the first turn makes the user');
  const input = {
    channel: 'sms',
    turns: Array.from({ length: 500 }, (_, n) => ({ text: `turn ${n}`, idempotencyKey: `${n}` })),
  };
  const query = 'mutation M($input: RememberInput!) { remember(input: $input) { __typename } }';
  for (const turns of [input.turns.slice(0, 1), input.turns]) {
    world.statements.length = 0;
    const { body } = await client.post({ query, variables: { input: { ...input, turns } } });
    expect(body).toEqual({ data: { remember: { __typename: 'RememberPayload' } } });
    expect(world.statements.length).toBeLessThanOrEqual(4);
    expect(world.statements[0]?.name).toBe('begin');
    expect(world.statements.at(-1)?.name).toBe('commit');
  }
  expect(calls).toBe(0);
  world.restore();
});

it('a repeated key is the same turn, across calls and within one', async () => {
  const client = await world.user('repeat');
  const turns = [
    { text: 'hello', idempotencyKey: 'a' },
    { text: 'world', idempotencyKey: 'b' },
  ];
  const first = await say(client, { channel: 'sms', turns });
  const second = await say(client, {
    channel: 'sms',
    turns: [...turns, { text: 'new', idempotencyKey: 'c' }, { text: 'new', idempotencyKey: 'c' }],
  });
  expect(first.map((turn) => turn.status)).toEqual(['STORED', 'STORED']);
  expect(second.map((turn) => turn.status)).toEqual([
    'ALREADY_STORED',
    'ALREADY_STORED',
    'STORED',
    'ALREADY_STORED',
  ]);
  expect(second[0]?.id).toBe(first[0]?.id);
  expect(second[3]?.id).toBe(second[2]?.id);
  expect((await turnsOf(client)).map((turn) => turn.text)).toEqual(['hello', 'world', 'new']);
});

it('a whole call sent again with a new thread opens no second thread', async () => {
  const client = await world.user('repeat-thread');
  const input = {
    channel: 'web',
    newThread: { title: 'Trip' },
    turns: [{ text: 'hello', idempotencyKey: 'a' }],
  };
  const [first] = await say(client, input);
  const [second] = await say(client, input);
  expect(second?.thread.id).toBe(first?.thread.id);
});

it('a reused key with other content is a typed conflict, and nothing of the call is written', async () => {
  const client = await world.user('conflict');
  await say(client, { channel: 'sms', turns: [{ text: 'hello', idempotencyKey: 'a' }] });
  for (const turns of [
    [{ text: 'fine' }, { text: 'changed', idempotencyKey: 'a' }],
    [
      { text: 'x', idempotencyKey: 'n' },
      { text: 'y', idempotencyKey: 'n' },
    ],
  ]) {
    expect(await refused(client, { channel: 'sms', turns })).toMatchObject({
      __typename: 'IdempotencyConflictError',
      path: 'input.turns.1.idempotencyKey',
    });
  }
  expect(await turnsOf(client)).toHaveLength(1);
});

it('parallel calls with the same turns store each turn once', async () => {
  const client = await world.user('parallel');
  const turns = Array.from({ length: 5 }, (_, n) => ({
    text: `turn ${n}`,
    idempotencyKey: `${n}`,
  }));
  await Promise.all(Array.from({ length: 10 }, () => say(client, { channel: 'sms', turns })));
  const stored = await turnsOf(client);
  expect(stored.map((turn) => turn.text).sort()).toEqual(turns.map((turn) => turn.text));
  expect(stored.map((turn) => turn.number)).toEqual([1, 2, 3, 4, 5]);
});

const long = 'x'.repeat(1_000_001);
it.each([
  ['no turns', { turns: [] }, 'input.turns', 'at least one'],
  ['501 turns', { turns: Array(501).fill({ text: 'x' }) }, 'input.turns', 'at most 500'],
  ['an empty text', { turns: [{ text: '' }] }, 'input.turns.0.text', 'empty'],
  ['a text of 1 MB', { turns: [{ text: 'x' }, { text: long }] }, 'input.turns.1.text', '1,000,000'],
  ['NUL in a text', { turns: [{ text: 'a\u0000b' }] }, 'input.turns.0.text', 'NUL'],
  ['half a character', { turns: [{ text: '\ud83d' }] }, 'input.turns.0.text', 'Unicode'],
  [
    'year 0',
    { turns: [{ text: 'x', occurredAt: '0000-01-01T00:00:00Z' }] },
    'input.turns.0.occurredAt',
    '1970',
  ],
  [
    'the future',
    { turns: [{ text: 'x', occurredAt: '2027-01-01T00:00:00Z' }] },
    'input.turns.0.occurredAt',
    'now',
  ],
  ['a bad channel', { channel: 'a b', turns: [{ text: 'x' }] }, 'input.channel', 'letters'],
])('%s is refused with the field and what is allowed', async (_name, input, path, message) => {
  const client = await world.user('refused');
  expect(await refused(client, { channel: 'sms', ...input })).toMatchObject({
    __typename: 'InvalidInputError',
    code: 'INVALID_INPUT',
    issues: expect.arrayContaining([{ path, message: expect.stringContaining(message) }]),
  });
  expect(await turnsOf(client)).toEqual([]);
});

it('a named thread and a new one at once are refused', async () => {
  const client = await world.user('two-wishes');
  const { thread } = await sayAt(client, '08:00', 'hello');
  const input = { channel: 'web', threadId: thread.id, newThread: {}, turns: [{ text: 'x' }] };
  expect(await refused(client, input)).toMatchObject({ issues: [{ path: 'input.newThread' }] });
});
