import { afterAll, beforeAll, expect, it } from 'vitest';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { recorder } from '../../support/consolidation.ts';
import { countsOf, dumpOf, linesWith, TABLES } from '../../support/database/dump.ts';
import { talk } from '../../support/episodes.ts';
import { graphql } from '../../support/generated/gql.ts';
import type { ForgetInput } from '../../support/generated/graphql.ts';
import { FLAT, tellThreads } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { fullMemory } from '../../support/samples/full-memory.ts';
import type { Client, World } from '../../support/world.ts';

let world: World;
let alex: Client;
beforeAll(async () => {
  ({ world, alex } = await fullMemory());
});
afterAll(() => world[Symbol.asyncDispose]());

const FORGET = graphql(`
  mutation ForgetAll($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        threads
        turns
        postings
        vectors
        episodes
        skills
        reviews
        facts
        semanticMemories
        links
        profiles
      }
    }
  }
`);
async function forget(client: Client, input: ForgetInput) {
  const { forget: gone } = await client.execute(FORGET, { input });
  if (gone.__typename !== 'ForgottenCounts') throw new Error(JSON.stringify(gone));
  const { __typename, ...counts } = gone;
  return counts;
}

const WORD = 'quokka';

/** Somebody who talked with a word in everything, in a thread that is linked with another one, and what was made of it. */
async function teller(userId: string) {
  const client = await recorder(world, userId);
  world.now = new Date('2026-05-20T12:00:00Z');
  await tellThreads(world, client, [FLAT[0]], { from: '2026-05-01T08:00:00Z' });
  const texts = [
    'Does the flat in Cedofeita with the kitchen take a quokka too? My cat Quokka turned 4.',
    'The flat in Cedofeita has a kitchen and room for a quokka.',
    'I live in Quokkaville and my email is quokka@example.org. I never eat quokka.',
    'From now on, when a quokka comes, always lock the kitchen first and then feed the quokka.',
  ];
  const turns = talk(texts, '2026-05-02T08:00:00Z').map((turn) => ({ ...turn, speaker: 'Quokka' }));
  const tool = {
    role: 'TOOL' as const,
    text: 'The quokka is booked.',
    occurredAt: '2026-05-02T08:05:00Z',
    toolCalls: [{ name: 'quokka', ok: true, result: 'quokka' }],
  };
  const newThread = { title: 'Quokka' };
  const said = await say(client, { channel: 'quokka', newThread, turns: [...turns, tool] });
  world.now = new Date('2026-05-21T12:00:00Z');
  await world.settle();
  const { body } = await client.post({
    query: 'mutation { consolidate { __typename } synthesizeProfile { __typename } }',
  });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  await world.settle();
  const threadId = said[0]?.thread.id ?? '';
  await plant(userId, Number(readGlobalId(threadId)?.key.at(-1)));
  return { client, threadId, turnIds: said.map(({ id }) => id) };
}

/** Puts the word where a model, or an error, might have put it. */
async function plant(userId: string, threadId: number) {
  const query = (sql: string, values = [userId, threadId]) =>
    world.ctx.db.pool.query(sql, values as never);
  await query(`UPDATE episodes SET title = 'quokka', summary = 'quokka', topic = 'quokka', approach = 'quokka',
    micro = 'quokka', meso = 'quokka', macro = 'quokka', theme_terms = '{quokka}', description = '{"title": "quokka"}'
    WHERE user_id = $1 AND (thread_id = $2 OR kind = 'CROSS_THREAD')`);
  await query(`INSERT INTO episode_revisions (user_id, episode_id, number, summary)
    SELECT user_id, id, 9, 'quokka' FROM episodes WHERE user_id = $1 AND thread_id = $2`);
  await query(`INSERT INTO skills (user_id, episode_id, number, name, description, generated_by, evidence_turns)
    SELECT user_id, id, 9, 'quokka', 'quokka', 'MODEL', '{1}' FROM episodes
    WHERE user_id = $1 AND (thread_id = $2 OR kind = 'CROSS_THREAD')`);
  await query(`UPDATE links SET reasoning = 'quokka', key_signals = '{quokka}'
    WHERE user_id = $1 AND (thread_id = $2 OR earlier_thread_id = $2)`);
  await query(
    `UPDATE semantic_memories SET summary = 'quokka', generated_by = 'MODEL' WHERE user_id = $1`,
    [userId] as never,
  );
  await query(
    `UPDATE profiles SET prose = 'quokka', personal_context = 'quokka' WHERE user_id = $1`,
    [userId] as never,
  );
  await query(
    `INSERT INTO jobs (user_id, step, subject, last_error, run_at)
    VALUES ($1, 'synthesize-profile', 0, 'SyntaxError: "quokka"', 'infinity')
    ON CONFLICT (user_id, step, subject) DO UPDATE SET last_error = excluded.last_error`,
    [userId] as never,
  );
}

/** What of the word is left, at once and when all has been made again. */
async function wordsLeft(userId: string) {
  const at = async () =>
    linesWith(await dumpOf(world), WORD).filter((line) => line.includes(userId));
  const before = await at();
  await world.settle();
  return [before, await at()];
}

it('forgetting a user leaves no word in any column of any table, and the counts match the erased rows', async () => {
  const { rows } = await world.ctx.db.pool.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS table, column_name AS column, udt_name AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND is_generated = 'NEVER' AND udt_name IN ('text', '_text', 'jsonb')
      AND table_name IN (SELECT table_name FROM information_schema.columns WHERE column_name = 'user_id')
      AND column_name NOT IN ('user_id', 'step', 'key', 'active_key') AND table_name IN (${TABLES})`,
  );
  const marked: Record<string, string> = {
    text: `coalesce("%", '') || 'quokka'`,
    _text: `'{quokka}'`,
    jsonb: `'{"quokka": "quokka"}'`,
  };
  await world.ctx.db.pool.query(`
    INSERT INTO model_usage VALUES ('alex', '2026-04-01', 'compact', 'm', 1, 1, 1, 1);
    INSERT INTO jobs (user_id, step, subject, run_at) VALUES ('alex', 'idle-thread', 999, 'infinity')`);
  await world.ctx.db.pool.query(`UPDATE facts SET key = key || 'quokka',
    active_key = active_key || 'quokka' WHERE user_id = 'alex'`);
  for (const { table, column, type } of rows) {
    const value = (marked[type] as string).replace('%', column);
    await world.ctx.db.pool.query(
      `UPDATE "${table}" SET "${column}" = ${value} WHERE user_id = 'alex'`,
    );
  }
  const before = await countsOf(world, 'alex');
  expect([...before].filter(([, count]) => count === 0)).toEqual([]);
  const counts = await forget(alex, { everythingOf: 'alex' });
  const after = await countsOf(world, 'alex');
  const gone = (...tables: string[]) =>
    tables.reduce((sum, name) => sum + (before.get(name) ?? 0) - (after.get(name) ?? 0), 0);
  expect(counts).toEqual({
    threads: gone('threads'),
    turns: gone('turns'),
    postings: gone('postings'),
    vectors: gone(
      'turn_vectors',
      'episode_vectors',
      'fact_vectors',
      'semantic_memory_vectors',
      'skill_vectors',
    ),
    episodes: gone('episodes'),
    skills: gone('skills'),
    reviews: gone('episode_reviews'),
    facts: gone('facts'),
    semanticMemories: gone('semantic_memories'),
    links: gone('links'),
    profiles: gone('profiles'),
  });
  expect(await wordsLeft('alex')).toEqual([[], []]);
});

it('forgetting a thread leaves its words nowhere', async () => {
  const { client, threadId } = await teller('of-a-thread');
  expect(linesWith(await dumpOf(world), WORD).length).toBeGreaterThan(20);
  const before = await countsOf(world, 'of-a-thread');
  const gone = await forget(client, { threadId });
  const after = await countsOf(world, 'of-a-thread');
  const fewer = (name: string) => (before.get(name) ?? 0) - (after.get(name) ?? 0);
  expect(gone).toMatchObject({
    threads: fewer('threads'),
    turns: fewer('turns'),
    postings: fewer('postings'),
    vectors: ['turn', 'episode', 'fact', 'semantic_memory']
      .map((kind) => fewer(`${kind}_vectors`))
      .reduce((sum, count) => sum + count),
    skills: fewer('skills'),
    facts: fewer('facts'),
    links: fewer('links'),
    profiles: fewer('profiles'),
  });
  expect(gone).toMatchObject({ threads: 1, turns: 5 });
  for (const kind of ['facts', 'skills', 'semanticMemories', 'profiles', 'links'] as const) {
    expect(gone[kind], kind).toBeGreaterThan(0);
  }
  expect(await wordsLeft('of-a-thread')).toEqual([[], []]);
});

it('forgetting all turns of a thread, one after another, leaves their words nowhere', async () => {
  const { client, turnIds } = await teller('of-turns');
  for (const turnId of turnIds)
    expect(await forget(client, { turnId })).toMatchObject({ turns: 1 });
  expect(await wordsLeft('of-turns')).toEqual([[], []]);
});

it.each(['PRIMARY', 'SEGMENT', 'CROSS_THREAD'])(
  'forgetting a %s episode leaves its words nowhere',
  async (kind) => {
    const userId = `of-a-${kind.toLowerCase()}`;
    const { client, threadId } = await teller(userId);
    const { body } = await client.post({
      query: `query ($kind: EpisodeKind) { viewer { episodes(kind: $kind) { edges { node { id thread { id } } } } } }`,
      variables: { kind },
    });
    type Node = { id: string; thread: { id: string } | null };
    const { viewer } = body.data as { viewer: { episodes: { edges: { node: Node }[] } } };
    const found = viewer.episodes.edges.find(
      ({ node }) => (node.thread?.id ?? threadId) === threadId,
    );
    await forget(client, { episodeId: found?.node.id ?? '' });
    expect(await wordsLeft(userId)).toEqual([[], []]);
  },
);

it('forgetting a fact erases the words that only it contains', async () => {
  const client = await recorder(world, 'of-a-fact');
  const record = (value: string) => ({
    query: `mutation ($value: String!) {
      recordFact(input: { category: GOAL, key: "goal:quokka", value: $value }) { ... on Fact { id } } }`,
    variables: { value },
  });
  await client.post(record('see a quokka'));
  const { body } = await client.post(record('feed a quokka'));
  await world.settle();
  const { body: old } = await client.post({
    query:
      'query { viewer { facts(first: 5, key: "goal:quokka") { edges { node { id history { id } } } } } }',
  });
  const ids = JSON.stringify([body, old]).match(/RmFjd[\w=+/]+/g) ?? [];
  for (const factId of new Set(ids)) {
    expect(await forget(client, { factId })).toMatchObject({ facts: 1, vectors: 1, turns: 0 });
  }
  expect(await wordsLeft('of-a-fact')).toEqual([[], []]);
});
