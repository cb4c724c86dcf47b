import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { forget } from '../../../src/remember/operations/forget.ts';
import { readGlobalId } from '../../../src/schema/core/global-id.ts';
import { factsOf, RECORD } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.now = new Date('2026-03-03T09:00:00Z');
});

/** Statements that store jobs. */
const storesJobs = /^(?:jobs-add|remember-save|vector-index-(?:queue|revive))$/;
const stepsOf = async (userId: string) => {
  const { rows } = await world.ctx.db.pool.query<{ step: string }>(
    'SELECT step FROM jobs WHERE user_id = $1',
    [userId],
  );
  return rows.map(({ step }) => step);
};
const turn = (text: string) => ({ text, occurredAt: '2026-03-02T08:00:00Z' });

it('a fact by hand stores the jobs that it triggers in one statement', async () => {
  const client = await world.user('hand');
  await say(client, { channel: 'sms', turns: [turn('Hello.')] });
  await world.settle();
  for (const isNew of [true, false]) {
    world.statements.length = 0;
    const input = { category: 'IDENTITY' as const, key: 'profile:city', value: 'Lisbon' };
    await client.execute(RECORD, { input });
    expect(world.sent(storesJobs)).toEqual(['jobs-add']);
    const steps = await stepsOf('hand');
    expect(steps).toContain('synthesize-profile');
    expect(steps.includes('embed-facts')).toBe(isNew);
    await world.settle();
  }
});

it('a fact by pattern costs remember one statement for all jobs that it triggers', async () => {
  const client = await world.user('pattern');
  await say(client, { channel: 'sms', turns: [turn('Hello.')] });
  world.statements.length = 0;
  await say(client, { channel: 'sms', turns: [turn('My email is ada@example.org.')] });
  expect(world.sent(storesJobs)).toEqual(['remember-save', 'jobs-add']);
  const steps = await stepsOf('pattern');
  expect(steps).toEqual(expect.arrayContaining(['synthesize-profile', 'embed-facts']));
});

it('versions of the profile go in one statement, whether their facts go or change', async () => {
  const client = await world.user('forgets');
  const told = ['I use Python at Quixotl. I live in Porto.', 'I use Python.'].map(turn);
  const said = await say(client, { channel: 'sms', turns: told });
  await world.settle();
  expect((await factsOf(client)).facts.map(({ mentions }) => mentions).sort()).toEqual([1, 2]);
  const turnId = Number(readGlobalId(said[0]?.id ?? '')?.key.at(-1));
  world.statements.length = 0;
  const gone = await forget(world.ctx, 'forgets', { kind: 'turn', id: turnId });
  expect(gone).toMatchObject({ facts: 1 });
  expect(world.sent(/^profiles-erase$/)).toHaveLength(1);
});
