import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import type { RecallInput } from '../support/generated/graphql.ts';
import { alexWorld } from '../support/recall.ts';
import type { Client, World } from '../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await alexWorld());
  // Two skills of one episode: only their numbers tell them apart.
  await world.ctx.db.pool.query(
    `INSERT INTO skills (user_id, episode_id, number, name, description, generated_by, evidence_turns)
     SELECT e.user_id, e.id, s.number, s.name, s.description, 'EXTRACTIVE', '{}'
     FROM (SELECT user_id, id FROM episodes WHERE user_id = 'alex' AND kind = 'PRIMARY' ORDER BY id DESC LIMIT 1) e,
       (VALUES (8, 'Mending a tap', 'Mend the tap: mend its washer first.'),
         (9, 'Painting a fence', 'Paint the fence, then mend the tap beside it.')) s (number, name, description)`,
  );
});
afterAll(() => world[Symbol.asyncDispose]());

const EXPLAIN_KIND = graphql(`
  query ExplainKind($input: RecallInput!, $id: ID!) {
    explainMiss(input: $input, id: $id) {
      __typename
      ... on RecallMiss {
        isHit
        reason
        rank
        score
      }
      ... on Error {
        code
      }
    }
  }
`);

const CANDIDATES = graphql(`
  query Candidates($input: RecallInput!) {
    recall(input: $input) {
      __typename
      ... on RecallPayload {
        stages {
          name
          candidates(first: 100) {
            kind
            id
            rank
            score
          }
        }
      }
    }
  }
`);

const SKILL = graphql(`
  query Skill($id: ID!) {
    node(id: $id) {
      __typename
      id
      ... on Skill {
        name
      }
    }
  }
`);

async function scored(input: RecallInput) {
  const { recall } = await alex.execute(CANDIDATES, { input });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  return recall.stages.find(({ name }) => String(name) === 'SCORES')?.candidates ?? [];
}

async function missOf(input: RecallInput, id: string, client = alex) {
  return (await client.execute(EXPLAIN_KIND, { input, id })).explainMiss;
}

const QUERIES = {
  TURN: 'Which washer did the dripping kitchen tap need?',
  EPISODE: 'Who sells a Volvo?',
  FACT: 'What about the cello?',
  SEMANTIC_MEMORY: 'Volvo, roof, cello',
  SKILL: 'How do I mend a tap?',
} as const;

it.each(Object.entries(QUERIES))(
  'explainMiss tells of a memory of the kind %s that it is the first hit, and that other kinds exclude it',
  async (kind, query) => {
    const only = { query, first: 1, kinds: [kind] as never };
    const [first] = await scored(only);
    expect(first?.kind).toBe(kind);
    const id = first?.id ?? '';
    expect(await missOf(only, id)).toMatchObject({ isHit: true, reason: null, rank: 1 });
    const others = Object.keys(QUERIES).filter((other) => other !== kind) as never;
    expect(await missOf({ query, kinds: others }, id)).toMatchObject({ reason: 'FILTERED' });
  },
);

it('explainMiss tells two skills of one episode apart', async () => {
  const input = { query: QUERIES.SKILL, first: 1, kinds: ['SKILL'] as never };
  const [better, worse] = await scored(input);
  expect(await missOf(input, better?.id ?? '')).toMatchObject({ isHit: true, rank: 1 });
  const miss = await missOf(input, worse?.id ?? '');
  expect(miss).toMatchObject({ isHit: false, reason: 'BELOW', rank: 2, score: worse?.score });
  expect(worse?.score).not.toBe(better?.score);
  const { node } = await alex.execute(SKILL, { id: worse?.id ?? '' });
  expect(node).toEqual({ __typename: 'Skill', id: worse?.id, name: 'Painting a fence' });
});

it('a skill of another user, or one that never was, is not found', async () => {
  const input = { query: QUERIES.SKILL, kinds: ['SKILL'] as never };
  const [skill] = await scored(input);
  const id = skill?.id ?? '';
  const other = await world.user('skill-stranger');
  expect(await missOf(input, id, other)).toMatchObject({ code: 'NOT_FOUND' });
  expect((await other.execute(SKILL, { id })).node).toBeNull();
  const idOf = (key: unknown[]) => Buffer.from(`Skill:${JSON.stringify(key)}`).toString('base64');
  for (const key of [
    ['alex', '1', '4711'],
    ['alex', '1'],
    ['alex', 'x', '9'],
    ['alex', '1', '9', '9'],
  ]) {
    expect(await missOf(input, idOf(key))).toMatchObject({ code: 'NOT_FOUND' });
  }
});
