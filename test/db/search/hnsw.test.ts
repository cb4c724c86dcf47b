import { afterAll, beforeAll, expect, it } from 'vitest';
import { isHnswQuicker } from '../../../src/domain/ranking/planner.ts';
import { buildHnsw } from '../../../src/remember/vectors/build-hnsw.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { graphql } from '../../support/generated/gql.ts';
import { directionOf, wordsEmbedder } from '../../support/models/words-embedder.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

const DIMENSION = 128;
const NAMES = ['harbour', 'violin', 'glacier', 'pepper', 'lantern', 'saddle', 'orchard', 'kettle'];
const VERBS = ['painted', 'borrowed', 'mended', 'sketched', 'washed', 'measured', 'carried'];
const PLACES = ['Braga', 'Turku', 'Lima', 'Perth', 'Osaka', 'Quito', 'Tartu', 'Basel', 'Leeds'];

const embedder = wordsEmbedder(DIMENSION);

const texts = (who: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const of = (words: string[], step: number) => words[Math.floor(n / step) % words.length];
    return `${who} ${of(VERBS, 3)} the ${of(NAMES, 11)} number ${n} in ${of(PLACES, 37)}`;
  });

const RECALL = graphql(`
  query RecallNearest($query: String!) {
    recall(input: { query: $query, kinds: [TURN], first: 10, neighbours: 0 }) {
      ... on RecallPayload {
        hits {
          ... on TurnHit {
            turn {
              text
            }
          }
          explain {
            vectorRank
            similarity
          }
        }
      }
    }
  }
`);

let world: World;
let ana: Client;
let bob: Client;
beforeAll(async () => {
  world = await createWorld({ RECALL_HNSW_FROM: '300' }, { embedder });
  ana = await world.user('ana');
  bob = await world.user('bob');
  // Large enough that the index is quicker for Ana with Bob's vectors in it too, which the database counts when it likes.
  await remember(ana, texts('Ana', 4_800));
  await remember(bob, [...texts('Bob', 300), 'Bob tuned a zither in Lhasa']);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

async function remember(client: Client, all: readonly string[]) {
  for (let start = 0; start < all.length; start += 500) {
    const turns = all.slice(start, start + 500).map((text) => ({ text }));
    await say(client, { channel: 'log', turns });
  }
  await repeat(() => embedTurns(world.ctx, client.userId));
}

const FORGET = graphql(`
  mutation ForgetNearest($turnId: ID!) {
    forget(input: { turnId: $turnId }) {
      __typename
    }
  }
`);

async function forget(client: Client, turnId: string) {
  const { forget } = await client.execute(FORGET, { turnId });
  expect(forget.__typename).toBe('ForgottenCounts');
}

async function repeat(step: () => Promise<unknown>) {
  while ((await step()) === 'again');
}

async function nearest(client: Client, query: string) {
  world.statements.length = 0;
  const { recall } = await client.execute(RECALL, { query });
  if (!('hits' in recall)) throw new Error('nothing was recalled');
  const byIndex = world.sent(/^hnsw-nearest-128$/).length > 0;
  const hits = recall.hits.map((hit) => ('turn' in hit ? hit.turn.text : ''));
  return { hits, byIndex, first: recall.hits[0]?.explain };
}

/** Ana's turns that are the nearest by the index, by their ids. */
const near = (text: string) =>
  world.ctx.memory('ana').read(async ({ hnsw }) => {
    const { through } = await hnsw.state('words/1', DIMENSION);
    return hnsw.nearest('words/1', directionOf(text, DIMENSION), { through, most: 100 });
  });

const QUESTIONS = [
  'the glacier in Lima',
  'washed a kettle',
  'number 1234',
  'lantern Osaka measured',
];

it('in a large memory HNSW finds nine of ten turns that the exact search finds, and the first one', async () => {
  const exact = await Promise.all(QUESTIONS.map((query) => nearest(ana, query)));
  expect(exact.every(({ byIndex }) => !byIndex)).toBe(true);

  await repeat(() => buildHnsw(world.ctx, 'ana'));
  let same = 0;
  for (const [place, query] of QUESTIONS.entries()) {
    const { hits, byIndex, first } = await nearest(ana, query);
    expect(byIndex).toBe(true);
    same += hits.filter((text) => exact[place]?.hits.includes(text)).length;
    expect(first?.similarity).toBeCloseTo(exact[place]?.first?.similarity ?? 0, 5);
  }
  expect(same).toBeGreaterThanOrEqual(9 * QUESTIONS.length);
});

it('HNSW finds turns added after it was built, no forgotten ones, and none of other users', async () => {
  await repeat(() => buildHnsw(world.ctx, 'bob'));
  await world.ctx.db.system({ name: 'analyze', text: 'ANALYZE turn_vectors' }, []);
  const said = 'Ana tuned a zither in Lhasa';
  const [turn] = await say(ana, { channel: 'log', turns: [{ text: said }] });
  await repeat(() => embedTurns(world.ctx, 'ana'));
  expect(await near(said)).toContain(4_801);
  expect((await nearest(ana, said)).byIndex).toBe(true);

  await repeat(() => buildHnsw(world.ctx, 'ana'));
  expect(await near(said)).toContain(4_801);
  const { hits } = await nearest(ana, said);
  expect(hits).toContain(said);
  expect(hits.filter((text) => !text.startsWith('Ana'))).toEqual([]);

  await forget(ana, turn?.id ?? '');
  const left = await nearest(ana, said);
  expect(left.byIndex).toBe(true);
  expect(left.hits.join()).not.toContain('zither');
  expect(await near(said)).not.toContain(4_801);
});

it.each([
  { turns: 20_000, indexed: 20_000, quicker: true },
  { turns: 20_000, indexed: 90_000, quicker: true },
  { turns: 20_000, indexed: 1_000_000, quicker: false },
  { turns: 200_000, indexed: 5_000_000, quicker: true },
  { turns: 3_000, indexed: 3_000, quicker: false },
])(
  'with $turns turns of $indexed in the index HNSW is quicker: $quicker',
  ({ turns, indexed, quicker }) => {
    expect(isHnswQuicker(turns, indexed)).toBe(quicker);
  },
);
