import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/domain/core/errors.ts';
import { recordFact, restoreFact, retractFact } from '../../../src/remember/facts/edit-fact.ts';
import { forget } from '../../../src/remember/operations/forget.ts';
import { graphql } from '../../support/generated/gql.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const day = (number: number) => new Date(START + number * DAY);
/** Dates at which memory is asked for what was true. */
const [first, second, third, fourth] = [2, 9, 16, 23].map((number) =>
  new Date(START + number * DAY + 1).toISOString(),
) as [string, string, string, string];
/** All dates in one query of little: a run asks some twenty times. */
const TRUTH = graphql(`
  query Truth(
    $first: DateTime!
    $second: DateTime!
    $third: DateTime!
    $fourth: DateTime!
    $knownAt: DateTime
  ) {
    viewer {
      first: facts(first: 50, at: $first, knownAt: $knownAt) {
        ...Truths
      }
      second: facts(first: 50, at: $second, knownAt: $knownAt) {
        ...Truths
      }
      third: facts(first: 50, at: $third, knownAt: $knownAt) {
        ...Truths
      }
      fourth: facts(first: 50, at: $fourth, knownAt: $knownAt) {
        ...Truths
      }
    }
  }
  fragment Truths on UserFactsConnection {
    edges {
      node {
        key
        value
        polarity
      }
    }
  }
`);

const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      key: fc.constantFrom('profile:city', 'preference:tea'),
      value: fc.constantFrom('Turin', 'Genoa'),
      polarity: fc.constantFrom('POSITIVE' as const, 'NEGATIVE' as const),
      at: fc.integer({ min: 0, max: 24 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('retract' as const, 'restore' as const),
      which: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), which: fc.nat(20) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

async function take(userId: string, step: Step, ids: number[]): Promise<void> {
  if (step.kind === 'record') {
    const { key, value, polarity, at } = step;
    const input = { category: 'IDENTITY', key, value, polarity, validFrom: day(at) };
    const id = await recordFact(world.ctx, userId, input);
    if (!ids.includes(id)) ids.push(id);
    return;
  }
  const id = ids[step.which % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (step.kind === 'retract') await retractFact(world.ctx, userId, id);
  if (step.kind === 'restore') {
    // Another fact may say the same.
    await restoreFact(world.ctx, userId, id).catch((error: unknown) => {
      if (!(error instanceof InvalidInput)) throw error;
    });
  }
  if (step.kind === 'forget') {
    await forget(world.ctx, userId, { kind: 'fact', id });
    ids.splice(ids.indexOf(id), 1);
  }
}

it('timelines stay consistent, whatever is recorded, denied, retracted, restored and forgotten', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 8 }), async (steps) => {
      run += 1;
      const userId = `property-${run}`;
      const client = await world.user(userId);
      const ids: number[] = [];
      world.now = day(99);
      await take(
        userId,
        { kind: 'record', key: 'profile:city', value: 'Genoa', polarity: 'POSITIVE', at: 5 },
        ids,
      );
      const believed: { knownAt: Date; answers: string[] }[] = [];
      const truth = async (knownAt?: Date) => {
        const dates = { first, second, third, fourth, knownAt: knownAt?.toISOString() ?? null };
        const { viewer } = await client.execute(TRUTH, dates);
        if (!viewer) throw new Error('The user does not exist.');
        return [viewer.first, viewer.second, viewer.third, viewer.fourth].map(({ edges }) => {
          const keys = edges.map(({ node }) => node.key);
          expect(new Set(keys).size, 'one fact a key at a time').toBe(keys.length);
          return edges
            .map(({ node: { key, value, polarity } }) => `${key} ${polarity} ${value}`)
            .sort()
            .join();
        });
      };
      for (const [index, step] of steps.entries()) {
        world.now = new Date(START + (100 + index) * DAY);
        await take(userId, step, ids);
        // What is forgotten is forgotten of the past, too.
        if (step.kind === 'forget') believed.length = 0;
        believed.push({ knownAt: world.now, answers: await truth() });
      }
      for (const { knownAt, answers } of believed) expect(await truth(knownAt)).toEqual(answers);
      const { rows } = await world.ctx.db.pool.query(
        `SELECT f.id FROM facts f JOIN fact_versions v USING (user_id) WHERE f.user_id = $1 AND v.fact_id = f.id
         GROUP BY f.id HAVING count(*) FILTER (WHERE v.superseded_at IS NULL) <> 1`,
        [userId],
      );
      expect(rows, 'one belief of each fact at a time').toEqual([]);
    }),
    { numRuns: 10, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
  );
}, 120_000);
