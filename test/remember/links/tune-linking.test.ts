import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphql } from '../../support/generated/gql.ts';
import { decide, linksOf, rate } from '../../support/links.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none', LINKING_TUNE_EVERY: '40' });
});
afterAll(() => world[Symbol.asyncDispose]());

graphql(`
  fragment Run on TuningRun {
    id
    scope
    number
    kind
    kept
    reason
    decisions
    previous {
      threshold
      promptSignals
      weights {
        keyword
      }
    }
    next {
      threshold
      promptSignals
      weights {
        keyword
      }
    }
    before {
      accuracy
      f1
      falsePositiveRate
      falseNegativeRate
    }
    after {
      accuracy
      f1
      falsePositiveRate
      falseNegativeRate
    }
    thresholds {
      threshold
      falsePositiveRate
      falseNegativeRate
    }
    disagreements {
      count
      algorithmRight
      reasonerRight
    }
    at
  }
`);
const STATE = graphql(`
  query LinkingState {
    viewer {
      linkingSetting {
        threshold
        promptSignals
      }
      tuningRuns {
        ...Run
      }
    }
  }
`);
const TUNE = graphql(`
  mutation TuneLinking($scope: TuningScope) {
    tuneLinking(scope: $scope) {
      __typename
      ... on TuningRun {
        ...Run
      }
      ... on Error {
        code
      }
    }
  }
`);
const ROLL_BACK = graphql(`
  mutation RollBackLinking($tuningRunId: ID!, $scope: TuningScope) {
    rollBackLinking(tuningRunId: $tuningRunId, scope: $scope) {
      __typename
      ... on TuningRun {
        ...Run
      }
      ... on Error {
        code
      }
    }
  }
`);

const stateOf = async (client: Client) => {
  const { viewer } = await client.execute(STATE);
  if (!viewer) throw new Error('nobody is there');
  return viewer;
};

/** Rates decisions by the truth: scores above 0.55 belong together. */
async function rateAll(client: Client, from = 0, to = 50) {
  const { links } = await linksOf(client);
  const sorted = links.toSorted((a, b) => a.id.localeCompare(b.id)).slice(from, to);
  for (const { id, algorithmicScore, verdict } of sorted) {
    const isRight = (verdict === 'LINK') === algorithmicScore > 0.55;
    await rate(client, id, isRight ? 'CORRECT' : 'INCORRECT');
    world.now = new Date(world.now.getTime() + 1_000);
  }
  await world.settle();
}

describe('tuning of links', () => {
  it('tuning runs by itself after enough rated decisions and finds a better threshold, with its history', async () => {
    const client = await world.user('tuned');
    await decide(world, client, 50);
    await rateAll(client, 0, 39);
    expect((await stateOf(client)).tuningRuns).toEqual([]);
    await rateAll(client, 39, 40);
    const { tuningRuns, linkingSetting } = await stateOf(client);
    const [run] = tuningRuns;
    expect(tuningRuns).toHaveLength(1);
    const query = '($id: ID!) { node(id: $id) { ... on TuningRun { scope number } } }';
    const { body } = await client.post({ query: `query ${query}`, variables: { id: run?.id } });
    expect(body.data).toEqual({ node: { scope: 'DEPLOYMENT', number: 1 } });
    expect(run).toMatchObject({
      scope: 'DEPLOYMENT',
      number: 1,
      kind: 'TUNED',
      kept: true,
      decisions: 40,
      previous: { threshold: 0.7 },
    });
    expect(run?.next.threshold).toBeLessThan(0.7);
    expect(run?.after.f1).toBeGreaterThan(run?.before.f1 ?? 1);
    expect(run?.after.falseNegativeRate).toBeLessThan(run?.before.falseNegativeRate ?? 0);
    expect(run?.thresholds.map(({ threshold }) => threshold)).toEqual([
      0.6, 0.65, 0.7, 0.75, 0.8, 0.85,
    ]);
    expect(run?.disagreements.count).toBeGreaterThan(0);
    expect(run?.reason).toMatch(/^F1 0\.\d+ → [01]\.\d+ on held-out decisions/);
    expect(linkingSetting.threshold).toBe(run?.next.threshold);
    expect((await stateOf(client)).linkingSetting.promptSignals).toContain('KEYWORD');
    const others = await world.user('somebody-else');
    await decide(world, others, 1);
    expect((await stateOf(others)).linkingSetting).toEqual(linkingSetting);
  });

  it('tuning runs again after as many further ratings, or by hand', async () => {
    const client = await world.user('tuned');
    await rateAll(client, 40, 50);
    expect((await stateOf(client)).tuningRuns).toHaveLength(1);
    const { tuneLinking } = await client.execute(TUNE, { scope: 'USER' });
    expect(tuneLinking).toMatchObject({ __typename: 'TuningRun', scope: 'USER', decisions: 50 });
    expect((await stateOf(client)).tuningRuns).toHaveLength(2);
  });

  it('a user’s own setting comes before the deployment’s, which only an admin may tune', async () => {
    const client = await world.user('own');
    await decide(world, client, 30);
    await rateAll(client);
    expect((await client.execute(TUNE, { scope: 'DEPLOYMENT' })).tuneLinking).toEqual({
      __typename: 'ForbiddenError',
      code: 'FORBIDDEN',
    });
    await world.ctx.db.pool.query('DELETE FROM linking_settings');
    const { tuneLinking: run } = await client.execute(TUNE, { scope: 'USER' });
    expect(run).toMatchObject({ scope: 'USER', kept: true });
    const own = (await stateOf(client)).linkingSetting.threshold;
    expect(own).toBeLessThan(0.7);
    expect((await stateOf(await world.user('somebody-else'))).linkingSetting.threshold).toBe(0.7);
  });

  it('rolling back a run restores the setting before it, on record', async () => {
    const client = await world.user('own');
    const [run] = (await stateOf(client)).tuningRuns.filter(({ scope }) => scope === 'USER');
    const { rollBackLinking } = await client.execute(ROLL_BACK, {
      scope: 'USER',
      tuningRunId: run?.id ?? '',
    });
    expect(rollBackLinking).toMatchObject({
      kind: 'ROLLED_BACK',
      kept: true,
      number: 2,
      next: { threshold: 0.7, promptSignals: [] },
    });
    expect((await stateOf(client)).linkingSetting.threshold).toBe(0.7);
    const other = await world.user('tuned');
    const foreign = await other.execute(ROLL_BACK, { scope: 'USER', tuningRunId: run?.id ?? '' });
    expect(foreign.rollBackLinking).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a rollback is not lost when another process stores a run at the same moment', async () => {
    const client = await world.user('own');
    const { tuneLinking: tuned } = await client.execute(TUNE, { scope: 'USER' });
    expect(tuned).toMatchObject({ number: 3, kept: true });
    const { db } = world.ctx;
    let isTaken = false;
    const system: typeof db.system = async (statement, values) => {
      if (statement.name === 'linking-settings-save' && !isTaken) {
        isTaken = true;
        const [scope, run, ...others] = values;
        const other = { ...JSON.parse(String(run)), kind: 'TUNED', kept: false };
        await db.system(statement, [scope, JSON.stringify(other), ...others]);
      }
      return db.system(statement, values);
    };
    using _ = world.with({ db: { ...db, system } });
    const tuningRunId = tuned.__typename === 'TuningRun' ? tuned.id : '';
    const { rollBackLinking } = await client.execute(ROLL_BACK, { scope: 'USER', tuningRunId });
    expect(rollBackLinking).toMatchObject({
      kind: 'ROLLED_BACK',
      number: 5,
      next: { threshold: 0.7 },
    });
    expect((await stateOf(client)).linkingSetting.threshold).toBe(0.7);
  });

  it('the ratings of one user alone change the setting of nobody else', async () => {
    const { pool } = world.ctx.db;
    await pool.query(`DELETE FROM linking_settings WHERE user_id = ''`);
    await pool.query('UPDATE links SET rated_at = NULL');
    const client = await world.user('one-of-many');
    await decide(world, client, 50);
    await rateAll(client, 0, 40);
    const [run] = (await stateOf(client)).tuningRuns;
    expect(run).toMatchObject({ scope: 'DEPLOYMENT', decisions: 40, kept: false });
    expect(run?.reason).toContain('without the decisions of one user');
    expect((await stateOf(await world.user('somebody-else'))).linkingSetting.threshold).toBe(0.7);
  });

  it('tuning stores numbers and names of a closed list, no words of users', async () => {
    const { rows } = await world.ctx.db.pool.query(
      `SELECT (SELECT json_agg(r) FROM tuning_runs r)::text || (SELECT json_agg(s) FROM linking_settings s)::text AS kept`,
    );
    expect(rows[0].kept).toMatch(/threshold/);
    expect(rows[0].kept).not.toMatch(/flat/);
  });
});
