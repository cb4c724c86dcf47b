import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { indexTurns } from '../../src/remember/turns/index-turns.ts';
import { embedEpisodes } from '../../src/remember/vectors/embed-episodes.ts';
import { embedTurns } from '../../src/remember/vectors/embed-turns.ts';
import { FORGET_MEMORY } from '../support/episodes.ts';
import { FORGET_FACT, RECORD } from '../support/facts.ts';
import { graphql } from '../support/generated/gql.ts';
import { wordsEmbedder } from '../support/models/words-embedder.ts';
import { recallAll } from '../support/recall.ts';
import { say, sayAt } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const AROUND = graphql(`
  query Around($query: String!) {
    recall(input: { query: $query, neighbours: 1, kinds: [TURN] }) {
      __typename
      ... on RecallPayload {
        hits {
          ... on TurnHit {
            turn {
              text
            }
            before {
              text
            }
            after {
              text
            }
          }
        }
      }
    }
  }
`);

const SOON = { interval: 5, timeout: 20_000 };

const words = wordsEmbedder(64);
/** What happens while the vector of a query is made. */
let meanwhile = async () => {};
const embedder: Embedder = {
  ...words,
  embed: async (texts, options) => {
    if (options.priority === 'query') await meanwhile();
    return words.embed(texts, options);
  },
};

let world: World;
let ana: Client;
let lantern: string;
beforeAll(async () => {
  world = await createWorld({}, { embedder });
  world.now = new Date('2026-03-02T20:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

/** Somebody whose turns are cached. */
beforeEach(async ({ task }) => {
  meanwhile = async () => {};
  ana = await world.user(task.id);
  const turns = [
    { text: 'I hung the red lantern over the door.', occurredAt: '2026-02-01T09:00:00Z' },
    { text: 'It was bought in Turku.', occurredAt: '2026-02-01T09:01:00Z' },
    { text: 'The kettle broke again.', occurredAt: '2026-02-02T09:00:00Z' },
  ];
  [lantern = ''] = (await say(ana, { channel: 'sms', turns })).map(({ id }) => id);
  await world.settle();
  await vi.waitUntil(async () => {
    await ask();
    return world.ctx.turnCache.holds(ana.userId);
  }, SOON);
  world.statements.length = 0;
});

const ask = () => recallAll(ana, { query: 'What about the lantern?' });

const textsOf = ({ turns }: Awaited<ReturnType<typeof ask>>) => turns.map(({ turn }) => turn.text);

const scoresOf = ({ turns }: Awaited<ReturnType<typeof ask>>) => turns.map(({ score }) => score);

/** Waits until a recall has sent what needs no vector. */
const readAhead = () => vi.waitUntil(() => world.sent(/^turn-changes-found$/).length > 0, SOON);

/** Does something once a recall has sent what needs no vector, before the vector is there. */
function onceReadAhead(work: () => Promise<unknown>) {
  meanwhile = async () => {
    await readAhead();
    meanwhile = async () => {};
    await work();
  };
}

it('what needs no vector is read while the vector of the question is made', async () => {
  meanwhile = async () => void (await readAhead());
  const answer = await ask();
  expect(answer.vectors).toBe('USED');
  expect(textsOf(answer).join()).toContain('lantern');
  expect(world.sent(/^turn-changes-found$/)).toHaveLength(1);
});

it('what is forgotten between the two is no hit', async () => {
  onceReadAhead(async () => {
    await ana.execute(FORGET_MEMORY, { input: { turnId: lantern } });
  });
  const texts = textsOf(await ask());
  expect(texts).toContain('The kettle broke again.');
  expect(texts.join()).not.toContain('lantern');
});

it('a pinned fact that is forgotten meanwhile is not given', async () => {
  const input = { category: 'IDENTITY' as const, value: 'The gate code is 4711.', pinned: true };
  const { recordFact } = await ana.execute(RECORD, { input });
  if (recordFact.__typename !== 'Fact') throw new Error(recordFact.message);
  expect((await ask()).facts).toHaveLength(1);
  onceReadAhead(async () => {
    await ana.execute(FORGET_FACT, { input: { factId: recordFact.id } });
  });
  world.statements.length = 0;
  expect((await ask()).facts).toEqual([]);
});

it('a turn that is inserted before others meanwhile is shown in its place', async () => {
  onceReadAhead(async () => {
    await sayAt(ana, '2026-02-01T09:00:30Z', 'Careful with it!');
  });
  const { recall } = await ana.execute(AROUND, { query: 'Bought in Turku?' });
  const hits = recall.__typename === 'RecallPayload' ? recall.hits : [];
  expect(hits).toContainEqual({
    turn: { text: 'It was bought in Turku.' },
    before: [{ text: 'Careful with it!' }],
    after: [],
  });
});

it('a turn that is added and embedded meanwhile does not make the vectors seem incomplete', async () => {
  onceReadAhead(async () => {
    await sayAt(ana, '2026-02-03T09:00:00Z', 'The lantern is lit.');
    for (const step of [indexTurns, embedTurns])
      while ((await step(world.ctx, ana.userId)) === 'again');
    expect((await ask()).vectors).toBe('USED');
  });
  expect((await ask()).vectors).toBe('USED');
});

it('the vectors of segment summaries are read once, and again when a summary has changed', async () => {
  const { db, turnCache } = world.ctx;
  const reads = () => world.sent(/^segment-vectors$/).length;
  const before = scoresOf(await ask());
  world.statements.length = 0;
  await ask();
  expect(reads()).toBe(0);
  const { rowCount } = await db.pool.query(
    `WITH changed AS (
       UPDATE episodes SET title = NULL, summary = CASE WHEN first_turn = last_turn THEN 'What about the lantern?' ELSE 'No.' END
       WHERE user_id = $1 RETURNING id)
     DELETE FROM episode_vectors v USING changed c WHERE v.user_id = $1 AND v.episode_id = c.id`,
    [ana.userId],
  );
  expect(rowCount).toBeGreaterThan(0);
  while ((await embedEpisodes(world.ctx, ana.userId)) === 'again');
  const cached = scoresOf(await ask());
  expect(scoresOf(await ask())).toEqual(cached);
  expect(reads()).toBe(1);
  expect(cached).not.toEqual(before);
  expect(cached).toHaveLength(3);
  turnCache.drop(ana.userId);
  for (const [at, score] of scoresOf(await ask()).entries())
    expect(cached[at]).toBeCloseTo(score, 4);
});
