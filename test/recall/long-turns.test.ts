import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCHED_CHARACTERS, WHOLE_BYTES } from '../../src/domain/turns/turn.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

const LONG = `The red lantern hangs over the door. ${'It is quiet here. '.repeat(5_000)}The end.`;
const RESULT = `lantern ${'found '.repeat(10_000)}`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Somebody who said something long, and something short with a long result of a tool. */
async function meet(name: string) {
  const ana = await world.user(name);
  await say(ana, {
    channel: 'sms',
    turns: [
      { role: 'USER', text: LONG },
      {
        role: 'ASSISTANT',
        text: 'Let me look for the lantern.',
        toolCalls: [{ name: 'look', ok: true, result: RESULT }],
      },
      { role: 'USER', text: 'The lantern was bought in Turku.' },
    ],
  });
  await world.settle();
  return ana;
}

describe('long turns that may answer', () => {
  it('long turns are not read whole before it is known which are shown', async () => {
    const { userId } = await meet('ana-reads');
    const read = await world.ctx
      .memory(userId)
      .read((memory) => memory.scanTurns.turnTexts([1, 2, 3], { long: WHOLE_BYTES }));
    expect(read.map(({ isCut }) => isCut)).toEqual([true, false, false]);
    expect(JSON.stringify(read).length).toBeLessThan(WHOLE_BYTES);
  });

  it('long turns are shown word for word, cached or not', async () => {
    const ana = await meet('ana-shown');
    for (let again = 0; again < 3; again += 1) {
      const { hits } = await recallAll(ana, { query: 'lantern', first: 20 });
      const texts = hits.flatMap((hit) => ('turn' in hit ? [hit.turn.text] : []));
      expect(texts).toContain(LONG);
      expect(texts).toContain('The lantern was bought in Turku.');
    }
  });
});

it('a long turn does not keep itself and others out of a token budget', async () => {
  const bo = await world.user('bo-budget');
  const answer = 'The boat from Hanko to the lighthouse of Bengtskär leaves at nine.';
  const text = `${answer} ${'It is quiet here. '.repeat(1_400)}`.trim();
  const others = ['The boat was late again.', 'The boat has a new captain.'];
  await say(bo, { channel: 'sms', turns: [text, ...others].map((one) => ({ text: one })) });
  await world.settle();
  const query = 'When does the boat from Hanko to the lighthouse of Bengtskär leave?';
  const { hits, tokens, markdown, leftOut } = await recallAll(bo, {
    ...{ query, kinds: ['TURN'], maxTokens: 1_500 },
  });
  const lengths = hits.map((hit) => ('turn' in hit ? hit.turn.text.length : 0));
  expect(lengths.toSorted()).toEqual([...others, text].map(({ length }) => length).toSorted());
  expect(leftOut).toEqual({ facts: 0, hits: 0, details: 0 });
  expect(tokens).toBeLessThanOrEqual(1_500);
  expect(markdown).toContain(answer);
});

it('a turn too long to be searched is found by its beginning, stored whole, and marked', async () => {
  const ana = await world.user('ana-endless');
  const text = `Marimba. ${'It is quiet here. '.repeat(6_000)}Vuvuzela.`;
  await say(ana, { channel: 'sms', turns: [{ text }, { text: 'That was all.' }] });
  await world.settle();
  const { body } = await ana.post({
    query: '{ viewer { turns(first: 2) { edges { node { text searchedCharacters } } } } }',
  });
  const nodes = [
    { node: { text, searchedCharacters: SEARCHED_CHARACTERS } },
    { node: { text: 'That was all.', searchedCharacters: 13 } },
  ];
  expect(body.data).toEqual({ viewer: { turns: { edges: expect.arrayContaining(nodes) } } });
  const { rows } = await world.ctx.db.pool.query(
    `SELECT term FROM postings WHERE user_id = 'ana-endless' AND term IN ('marimba', 'vuvuzela')`,
  );
  expect(rows).toEqual([{ term: 'marimba' }]);
});

it('the turns of the window are whole, with the results of their tools', async () => {
  const client = await world.user('long-window');
  const [text, result] = ['A long log. '.repeat(3_000).trim(), 'r'.repeat(5_000)];
  const toolCalls = [{ name: 'build', ok: true, result }];
  const turns = [{ text, toolCalls }];
  const [first] = await say(client, { channel: 'web', newThread: {}, turns });
  const { body } = await client.post({
    query: `query ($input: ContextInput!) { context(input: $input) {
      ... on ContextPayload { window { text searchedCharacters toolCalls { result } } } } }`,
    variables: { input: { threadId: first?.thread.id, message: 'Why?', maxTokens: 100_000 } },
  });
  const window = [{ text, searchedCharacters: text.length, toolCalls: [{ result }] }];
  expect(body.data).toEqual({ context: { window } });
});

const WINDOW = `query ($input: ContextInput!) { context(input: $input) {
  ... on ContextPayload { window { text } leftOut { window } } } }`;

describe('a window with turns that cannot fit', () => {
  const long = 'It is quiet here. '.repeat(20_000);
  const message = 'Who is there?';

  it('the turns up to the last that cannot fit are left out, and not read', async () => {
    const client = await world.user('too-long');
    const turns = ['Hello.', long, 'Bye.', 'Hello again.', message].map((text) => ({ text }));
    const [first] = await say(client, { channel: 'web', newThread: {}, turns });
    world.statements.length = 0;
    const { body } = await client.post({
      query: WINDOW,
      variables: { input: { threadId: first?.thread.id, message, maxTokens: 1_000 } },
    });
    const window = [{ text: 'Bye.' }, { text: 'Hello again.' }];
    expect(body.data).toEqual({ context: { window, leftOut: { window: 2 } } });
    expect(world.sent(/^turns-/)).toEqual(['turns-newest']);
  });

  it('texts beyond the limit are not read', async () => {
    const client = await world.user('too-long-read');
    const turns = [long, 'Bye.', 'Hello.'].map((text) => ({ text }));
    await say(client, { channel: 'sms', turns });
    const stretch = { threadId: 1, from: 1, to: 3 };
    const read = await world.ctx
      .memory('too-long-read')
      .read((memory) => memory.turns.newestOf(stretch, 10));
    expect(read.map(({ text }) => text)).toEqual([null, 'Bye.', 'Hello.']);
  });
});
