import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import type { RecallInput } from '../support/generated/graphql.ts';
import { alexWorld, NOW, recallAll } from '../support/recall.ts';
import { sayAt } from '../support/samples/conversation.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
});
afterAll(() => world[Symbol.asyncDispose]());

const STAGES = graphql(`
  query Stages($input: RecallInput!) {
    recall(input: $input) {
      __typename
      ... on RecallPayload {
        hits {
          __typename
          kind
          rank
          score
          ... on TurnHit {
            turn {
              id
              text
            }
          }
        }
        stages {
          name
          ms
          count
          candidates(first: 100) {
            kind
            id
            rank
            score
            kept
            reason
          }
        }
      }
      ... on Error {
        message
      }
    }
  }
`);

const EXPLAIN = graphql(`
  query ExplainMiss($input: RecallInput!, $id: ID!) {
    explainMiss(input: $input, id: $id) {
      __typename
      ... on RecallMiss {
        isHit
        reason
        stage
        rank
        candidates
        score
        lowestScore
        explain {
          fused
        }
      }
      ... on Error {
        code
      }
    }
  }
`);

async function stagesOf(input: RecallInput) {
  const { recall } = await alex.execute(STAGES, { input });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  const stage = (name: string) => {
    const found = recall.stages.find((one) => String(one.name) === name);
    if (!found) throw new Error(name);
    return found;
  };
  return { ...recall, stage };
}

async function missOf(input: RecallInput, id: string, client = alex) {
  const { explainMiss } = await client.execute(EXPLAIN, { input, id });
  return explainMiss;
}

const QUERY = 'Which databases did we discuss for our vectors?';

it('a recall tells its stages with their times, and the candidates that each kept or left out', async () => {
  const { stages, stage, hits } = await stagesOf({
    ...{ query: QUERY, first: 8 },
    kinds: ['TURN', 'EPISODE'] as never,
  });
  expect(stages.map(({ name }) => String(name))).toEqual([
    ...['QUESTION', 'SEARCH', 'CANDIDATES', 'SCORES', 'CHOICE', 'TEXTS', 'BUDGET'],
  ]);
  expect(stages.every(({ ms }) => ms >= 0)).toBe(true);
  expect(stage('QUESTION')).toMatchObject({ count: 0, candidates: [] });
  const found = stage('CANDIDATES').candidates;
  expect(found.length).toBeGreaterThan(3);
  expect(found.every(({ rank, score }) => rank === null && score === null)).toBe(true);
  const scored = stage('SCORES').candidates;
  expect(scored.map(({ rank }) => rank)).toEqual(scored.map((_, index) => index + 1));
  const scores = scored.map(({ score }) => score ?? 0);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const choice = stage('CHOICE').candidates;
  expect(choice.filter(({ kept }) => kept)).toHaveLength(stage('TEXTS').count);
  const left = choice.filter(({ kept }) => !kept);
  expect(left.length).toBeGreaterThan(0);
  for (const { reason } of left) expect(['BELOW', 'QUOTA', 'KNOWN_FACT']).toContain(reason);
  const shown = stage('BUDGET').candidates.filter(({ kept }) => kept);
  expect(shown.map(({ kind, score }) => ({ kind, score }))).toEqual(
    hits.map(({ kind, score }) => ({ kind, score })),
  );
  const turnIds = hits.flatMap((hit) => (hit.__typename === 'TurnHit' ? [hit.turn.id] : []));
  expect(turnIds.length).toBeGreaterThan(0);
  expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(turnIds));
});

it.each([0, 101])('%i candidates of a stage are refused', async (first) => {
  const query = `{ recall(input: { query: "Which store?" }) {
    ... on RecallPayload { stages { candidates(first: ${first}) { kind } } } } }`;
  const { body } = await alex.post({ query });
  expect(body.errors?.[0]?.extensions?.code).toBe('INVALID_INPUT');
});

it('a hit that does not fit the token budget is told as such', async () => {
  const { stage, hits } = await stagesOf({ query: QUERY, maxTokens: 60 });
  const budget = stage('BUDGET').candidates;
  expect(budget.filter(({ kept }) => kept)).toHaveLength(hits.length);
  expect(budget.filter(({ reason }) => String(reason) === 'BUDGET').length).toBeGreaterThan(0);
});

it('explainMiss tells the rank and score of a turn, and what kept it out', async () => {
  const { stage } = await stagesOf({ query: QUERY, first: 1, kinds: ['TURN'] as never });
  const [first, second] = stage('SCORES').candidates;
  const input: RecallInput = { query: QUERY, first: 1, kinds: ['TURN'] as never };
  const hit = await missOf(input, first?.id ?? '');
  expect(hit).toMatchObject({ isHit: true, reason: null, stage: null, rank: 1 });
  const missed = await missOf(input, second?.id ?? '');
  expect(missed).toMatchObject({ isHit: false, reason: 'BELOW', stage: 'CHOICE', rank: 2 });
  if (missed.__typename !== 'RecallMiss') throw new Error(missed.__typename);
  expect(missed.score).toBeCloseTo(second?.score ?? 0, 6);
  expect(missed.lowestScore).toBeCloseTo(first?.score ?? 0, 6);
  expect(missed.explain?.fused).toBeGreaterThan(0);
  expect(missed.candidates).toBeGreaterThan(1);
});

it('explainMiss tells apart what a filter excludes, what is not found', async () => {
  const [turn] = (await stagesOf({ query: QUERY, kinds: ['TURN'] as never })).stage(
    'SCORES',
  ).candidates;
  const id = turn?.id ?? '';
  expect(await missOf({ query: QUERY, channels: ['email'] }, id)).toMatchObject({
    ...{ isHit: false, reason: 'FILTERED', rank: null, score: null, explain: null },
  });
  expect(await missOf({ query: QUERY, kinds: ['FACT'] as never }, id)).toMatchObject({
    reason: 'FILTERED',
  });
  using _ = world.with({ embedder: null });
  expect(await missOf({ query: 'zebra crossing' }, id)).toMatchObject({
    ...{ reason: 'NOT_FOUND', stage: 'CANDIDATES' },
  });
});

it('explainMiss tells that a fact is given among the facts already', async () => {
  const { facts } = await recallAll(alex, { query: 'What is my name?' });
  const name = facts.find(({ value }) => value === 'Alex');
  expect(await missOf({ query: 'What is my name?' }, name?.id ?? '')).toMatchObject({
    ...{ isHit: false, reason: 'KNOWN_FACT' },
  });
});

it('a fact with neither a word of the question nor its meaning is no hit, and explainMiss says so', async () => {
  const input = { query: 'How tall is the lighthouse in Alexandria?', first: 20 };
  const { stage, hits } = await stagesOf(input);
  const facts = stage('CHOICE').candidates.filter(
    ({ kind, reason }) => String(kind) === 'FACT' && String(reason) !== 'KNOWN_FACT',
  );
  expect(new Set(facts.map(({ reason }) => String(reason)))).toEqual(new Set(['UNRELATED']));
  expect(hits.map(({ __typename }) => __typename)).not.toContain('FactHit');
  expect(await missOf(input, facts[0]?.id ?? '')).toMatchObject({
    ...{ isHit: false, reason: 'UNRELATED', stage: 'CHOICE' },
  });
});

it("explainMiss knows no other user's memories, and nothing that is not a memory", async () => {
  const [turn] = (await stagesOf({ query: QUERY, kinds: ['TURN'] as never })).stage(
    'SCORES',
  ).candidates;
  const other = await world.user('stranger');
  const own = await sayAt(other, '08:00', 'vectors in databases');
  const notFound = { code: 'NOT_FOUND' };
  expect(await missOf({ query: QUERY }, turn?.id ?? '', other)).toMatchObject(notFound);
  expect(await missOf({ query: QUERY, userId: 'alex' }, turn?.id ?? '', other)).toMatchObject(
    notFound,
  );
  expect(await missOf({ query: QUERY }, own.id)).toMatchObject(notFound);
  expect(await missOf({ query: QUERY }, own.thread.id, other)).toMatchObject(notFound);
  expect(await missOf({ query: QUERY }, 'nonsense', other)).toMatchObject(notFound);
});

it('a dry run notes nothing: no event, no access of a fact, no impression', async () => {
  const { pool } = world.ctx.db;
  const rows = async () => {
    const { rows: noted } = await pool.query(`
      SELECT (SELECT count(*)::int FROM facts WHERE last_accessed_at IS NOT NULL) AS accessed,
        (SELECT count(*)::int FROM shown_episodes) AS shown,
        (SELECT count(*)::int FROM memory_events) AS events`);
    return noted[0] as { accessed: number; shown: number; events: number };
  };
  await pool.query('UPDATE facts SET last_accessed_at = NULL');
  world.now = new Date(NOW);
  const thread = await sayAt(alex, '2026-03-20T11:59:00Z', 'Tell me about the boat.');
  const input = { query: QUERY, shownIn: thread.thread.id };
  const before = await rows();
  world.statements.length = 0;
  const dry = await recallAll(alex, { ...input, dryRun: true });
  await missOf(input, thread.id);
  const context = 'query ($input: ContextInput!) { context(input: $input) { __typename } }';
  const message = { message: QUERY, threadId: thread.thread.id, dryRun: true };
  await alex.post({ query: context, variables: { input: message } });
  expect(dry.episodes.length).toBeGreaterThan(0);
  expect(await rows()).toEqual(before);

  const real = await recallAll(alex, input);
  expect(real.hits).toEqual(dry.hits);
  await vi.waitFor(async () => {
    const noted = await rows();
    expect(noted.shown).toBeGreaterThan(before.shown);
    expect(noted.accessed).toBeGreaterThan(0);
  }, 20_000);
  // Whatever is noted is noted beside the answer, in its turn: by now all of it would be here.
  expect(world.sent(/^begin$/)).toHaveLength(2);
  const notes = ['recalled-touch-facts', 'reviews-record-impressions'];
  expect(world.sent(/touch|record/).sort()).toEqual(notes);
  expect((await rows()).events).toBe(before.events);
});
