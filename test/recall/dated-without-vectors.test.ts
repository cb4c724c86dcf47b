import { afterAll, beforeAll, expect, it } from 'vitest';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const SAID = [
  ['2026-02-24T10:00:00Z', 'The gate was painted green.'],
  ['2026-02-24T11:00:00Z', 'The gate hinges came from Braga.'],
  ['2026-03-01T10:00:00Z', 'I planted four cherry trees.'],
  ['2026-03-01T18:00:00Z', 'My sister called; she had planted hers yesterday.'],
] as const;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  world.now = new Date('2026-03-02T12:00:00Z');
  client = await world.user('keeper');
  for (const [occurredAt, text] of SAID) {
    await say(client, { channel: 'sms', turns: [{ text, occurredAt }] });
  }
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

const found = async (query: string, input: object = {}) => {
  const answer = await recallAll(client, { query, kinds: ['TURN'], ...input });
  const texts = answer.turns.map(({ turn }) => turn?.text ?? '');
  const of = SAID.filter(([, text]) => texts.includes(text)).map(([at]) => at.slice(5, 13));
  return { ...answer, of };
};

it.each([
  // A turn that says "yesterday" itself is not the only answer.
  ['What did I do yesterday?', ['03-01T10', '03-01T18']],
  ['What happened on 24 February?', ['02-24T10', '02-24T11']],
  ['What happened on 20 February?', []],
  // Nothing at any time has these words, so what was said on the day is the next best.
  ['Which tractor did we repair on 24 February?', ['02-24T10', '02-24T11']],
  // What is asked for was said, on another day.
  ['Which cherry trees did I get on 24 February?', ['03-01T10']],
])('without vectors a question finds what was said in its period: %s', async (query, times) => {
  expect((await found(query)).of).toEqual(times);
});

it('what was found by its time alone has no rank by words or vector', async () => {
  world.statements.length = 0;
  const { turns, range, vectors } = await found('What did I do yesterday?');
  expect([range?.filters, vectors]).toEqual([true, 'OFF']);
  expect(turns.map(({ explain }) => [explain.bm25Rank, explain.vectorRank])).toEqual([
    [null, null],
    [null, null],
  ]);
  // They are found by one statement, in the place of the search.
  expect(world.sent(/^(newest-turns|scan-turns|scan-turns-filtered|search-turns.*)$/)).toEqual([
    'newest-turns',
  ]);
});

it('the newest turns of a period obey the other filters of the question', async () => {
  const { of } = await found('barn', {
    from: '2026-02-24T11:00:00Z',
    asOf: '2026-02-28T00:00:00Z',
  });
  expect(of).toEqual(['02-24T11']);
  expect((await found('barn', { from: '2026-02-24T11:00:00Z', channels: ['email'] })).of).toEqual(
    [],
  );
  expect((await found('barn')).of).toEqual([]);
});
