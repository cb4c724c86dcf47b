import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import type { RecallInput } from '../support/generated/graphql.ts';
import { say, sayAt } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const RECALL = graphql(`
  query Recall($input: RecallInput!) {
    recall(input: $input) {
      __typename
      ... on RecallPayload {
        vectors
        asOf
        hits {
          rank
          score
          ... on TurnHit {
            turn {
              text
              thread {
                id
              }
            }
            before {
              text
            }
            after {
              text
            }
          }
          explain {
            bm25Rank
            vectorRank
            similarity
            forgetting
            kindWeight
            parts {
              name
              value
            }
          }
        }
      }
      ... on InvalidInputError {
        issues {
          path
        }
      }
      ... on Error {
        message
      }
    }
  }
`);

async function ask(client: Client, input: RecallInput) {
  const { recall } = await client.execute(RECALL, { input: { kinds: ['TURN'], ...input } });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  return { ...recall, hits: recall.hits.flatMap((hit) => ('turn' in hit ? [hit] : [])) };
}
const texts = async (client: Client, input: RecallInput) =>
  (await ask(client, input)).hits.map((hit) => hit.turn.text);

const FILLER = [
  'The parcel finally came this morning.',
  'We watched a film about penguins.',
  'My train was late again.',
  'The neighbours are renovating their kitchen.',
  'I need new running shoes.',
  'Lunch was a sandwich at my desk.',
];

async function talk(userId: string, more: string[]) {
  const client = await world.user(userId);
  const turns = [...FILLER.slice(0, 3), ...more, ...FILLER.slice(3)].map((text, n) => ({
    text,
    occurredAt: `2026-03-02T08:0${n}:00Z`,
  }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  return client;
}

it('a turn is found by its words and by semantic similarity', async () => {
  const client = await talk('found', ['Luna the cat was sick all night.']);
  const byWords = await ask(client, { query: 'Who is Luna?' });
  expect(byWords.vectors).toBe('USED');
  expect(byWords.hits[0]?.turn.text).toContain('Luna');
  expect(byWords.hits[0]?.explain.bm25Rank).toBe(1);
  const byMeaning = await ask(client, { query: 'Is some pet feeling ill?' });
  expect(byMeaning.hits[0]?.turn.text).toContain('Luna');
  expect(byMeaning.hits[0]?.explain).toMatchObject({ bm25Rank: null, vectorRank: 1 });
});

it('a hit explains itself: its score is the sum of its parts, faded', async () => {
  const client = await talk('explained', ['Luna the cat was sick all night.']);
  const { hits } = await ask(client, { query: 'When was Luna sick?' });
  expect(hits.map((hit) => hit.rank)).toEqual(hits.map((_, index) => index + 1));
  for (const { score, explain } of hits) {
    const sum = explain.parts.reduce((total, { value }) => total + value, 0);
    expect(score).toBeCloseTo(sum * explain.forgetting * explain.kindWeight, 9);
  }
  expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
});

it('requested neighbours come with a hit, in event time', async () => {
  const client = await talk('neighbours', ['Luna was sick.']);
  const query = 'Luna';
  const [alone] = (await ask(client, { query })).hits;
  expect([alone?.before, alone?.after]).toEqual([[], []]);
  const [hit] = (await ask(client, { query, neighbours: 2 })).hits;
  expect(hit?.before.map((turn) => turn.text)).toEqual(FILLER.slice(1, 3));
  expect(hit?.after.map((turn) => turn.text)).toEqual(FILLER.slice(3, 5));
});

it('filters restrict what is found: time, channel, thread, speaker, and what was known then', async () => {
  const client = await world.user('filters');
  const say1 = (time: string, text: string, channel: string, speaker: string) =>
    say(client, {
      channel,
      turns: [{ text, speaker, occurredAt: `2026-03-0${time}:00Z` }],
    });
  world.now = new Date('2026-03-05T00:00:00Z');
  const [first] = await say1('1T10:00', 'melon one', 'sms', 'Ada');
  await say1('2T10:00', 'melon two', 'email', 'Ada');
  await say1('3T10:00', 'melon three', 'sms', 'Bob');
  await world.settle();
  const found = async (input: Partial<RecallInput>) =>
    (await texts(client, { query: 'melon', ...input })).sort();
  expect(await found({})).toEqual(['melon one', 'melon three', 'melon two']);
  expect(await found({ from: '2026-03-02T10:00:00Z' })).toEqual(['melon three', 'melon two']);
  expect(await found({ to: '2026-03-02T10:00:00Z' })).toEqual(['melon one']);
  expect(await found({ asOf: '2026-03-02T10:00:00Z' })).toEqual(['melon one', 'melon two']);
  expect(await found({ channels: ['SMS'] })).toEqual(['melon one', 'melon three']);
  expect(await found({ speakers: ['Bob'] })).toEqual(['melon three']);
  expect(await found({ threadIds: [first?.thread.id ?? ''] })).toEqual(['melon one']);
});

it("when the query's vector is late the answer comes by words, and says so", async () => {
  const client = await talk('late-vector', ['Luna was sick.']);
  const { embedder } = world.ctx;
  if (!embedder) throw new Error('this test needs an embedder');
  const { config } = world.ctx;
  using _ = world.with({
    embedder: {
      ...embedder,
      embed: (_texts, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    },
    config: { ...config, recall: { ...config.recall, vectorDeadline: 5 } },
  });
  const late = await ask(client, { query: 'Luna' });
  expect(late.vectors).toBe('NOT_READY');
  expect(late.hits[0]?.turn.text).toBe('Luna was sick.');
  expect(late.hits[0]?.explain.similarity).toBeNull();
});

it('a turn is found by its words before it has a vector', async () => {
  const client = await world.user('no-vector-yet');
  world.with({ embedder: null });
  await sayAt(client, '08:00', 'the ocelot escaped');
  await world.settle();
  expect(await texts(client, { query: 'ocelot' })).toEqual(['the ocelot escaped']);
  world.restore();
  expect(await texts(client, { query: 'ocelot' })).toEqual(['the ocelot escaped']);
});

it.each([
  ['a blank query', { query: '  ' }, 'input.query'],
  ['101 hits', { query: 'x', first: 101 }, 'input.first'],
  [
    'a span that ends before it begins',
    { query: 'x', from: '2030-01-01T00:00:00Z', to: '2020-01-01T00:00:00Z' },
    'input.to',
  ],
  ['too many neighbours', { query: 'x', neighbours: 6 }, 'input.neighbours'],
  [
    'a vector of another embedder',
    { query: 'x', vector: { embedder: 'y', values: [1] } },
    'input.vector.embedder',
  ],
  [
    'an endless vector',
    { query: 'x', vector: { embedder: 'y', values: new Array<number>(200_000).fill(1) } },
    'input.vector.values',
  ],
])('%s is refused with the field', async (_name, input, path) => {
  const client = await world.user('found');
  const { recall } = await client.execute(RECALL, { input });
  expect(recall).toMatchObject({ __typename: 'InvalidInputError', issues: [{ path }] });
});

it('an empty memory and a query of stop words answer with what there is', async () => {
  expect(await texts(await world.user('nobody-yet'), { query: 'anything?' })).toEqual([]);
  const client = await talk('stopwords', []);
  expect((await ask(client, { query: 'what is it?' })).hits.length).toBeGreaterThan(0);
});

it('hits with relations cost a fixed number of statements', async () => {
  const client = await talk('statements', ['Luna one', 'Luna two', 'Luna three']);
  const count = async (first: number) => {
    world.statements.length = 0;
    await ask(client, { query: 'Luna', first });
    return world.statements.length;
  };
  // The second recall has the turns held, which is read beside.
  await count(1);
  await count(1);
  const { turnCache } = world.ctx;
  await vi.waitUntil(() => turnCache.holds('statements'), { interval: 5, timeout: 60_000 });
  // The reading that filled the cache may commit during this one.
  await count(1);
  expect(await count(6)).toBe(await count(1));
});

it('neighbours said after asOf are left out', async () => {
  const client = await world.user('as-of-neighbours');
  await say(client, {
    channel: 'sms',
    turns: [
      { text: 'Luna the cat is three.', occurredAt: '2026-01-01T10:00:00Z' },
      { text: 'She turned four.', occurredAt: '2026-01-01T10:10:00Z' },
    ],
  });
  await world.settle();
  const { hits } = await ask(client, {
    query: 'Luna',
    neighbours: 1,
    asOf: '2026-01-01T10:05:00Z',
  });
  expect(hits.map((hit) => [hit.turn.text, hit.after])).toEqual([['Luna the cat is three.', []]]);
});

it("a date in the query is read in the user's time zone", async () => {
  const client = await world.user('time-zone');
  await say(client, {
    channel: 'sms',
    turns: [{ text: 'The violin arrived.', occurredAt: '2026-03-02T23:30:00Z' }],
  });
  await world.settle();
  const boost = async () => {
    const { hits } = await ask(client, { query: 'What of the violin on 3 March?' });
    return hits[0]?.explain.parts.find(({ name }) => name === 'DATE')?.value;
  };
  expect(await boost()).toBe(0);
  await client.post({ query: 'mutation { configureUser(timeZone: "Asia/Tokyo") { __typename } }' });
  expect(await boost()).toBeGreaterThan(0);
});
