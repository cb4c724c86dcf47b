import { consolidate, synthesize } from '../consolidation.ts';
import { CONFIGURE_CAPTURE, talk } from '../episodes.ts';
import { FORGET_FACT, factsOf, RECORD, RESTORE, RETRACT, unsure } from '../facts.ts';
import { graphql } from '../generated/gql.ts';
import { FLAT, linksOf, PARROT, rate, tellThreads } from '../links.ts';
import { alexWorld } from '../recall.ts';
import { showAndTalk } from '../reviews.ts';
import type { Client, World } from '../world.ts';
import { say } from './conversation.ts';
import { DENTIST, DENTIST_AGAIN, tellIn } from './conversations.ts';
import { madeOnce } from './made-once.ts';

const CONFIGURE = graphql(`
  mutation ConfigureAll {
    configureUser(timeZone: "Europe/Lisbon", inactivityTimeoutMinutes: 45) {
      __typename
    }
    configureChannel(name: "kiosk", kind: IMPLICIT, inactivityTimeoutMinutes: 10) {
      __typename
    }
  }
`);

/** Rows that tuning would write only after a hundred decisions. */
const TUNED = `
INSERT INTO linking_settings (user_id, threshold, weights, hints, updated_at)
VALUES ($1, 0.65, '{"keyword": 0.3, "entity": 0.3, "topic": 0.2, "recency": 0.2}', '{topic}', now())`;
const TUNING = `
INSERT INTO tuning_runs (user_id, number, kind, kept, reason, decisions, previous, next, metrics, thresholds, disagreements, at)
SELECT $1, 1, 'TUNED', true, 'better', 100, s, s, jsonb_build_object('before', m, 'after', m),
  '[{"threshold": 0.6, "falsePositiveRate": 0.3, "falseNegativeRate": 0.1}, {"threshold": 0.7, "falsePositiveRate": 0.1, "falseNegativeRate": 0.2}]',
  '{"count": 9, "algorithmRight": 4, "reasonerRight": 5}', '2026-03-01T00:00:00Z'
FROM (SELECT '{"threshold": 0.7, "weights": {"keyword": 0.3, "entity": 0.3, "topic": 0.2, "recency": 0.2}, "hints": []}'::jsonb AS s,
  '{"accuracy": 0.9, "precision": 0.8, "recall": 0.7, "f1": 0.75, "falsePositiveRate": 0.1, "falseNegativeRate": 0.2}'::jsonb AS m) AS own`;

const HABITS = [
  'The tests of the website time out, how do I clear its build cache?',
  'To clear the build cache: 1) Stop the runner. 2) Delete the folder cache. 3) Start the tests with --fresh.',
  'That worked. From now on, when the tests time out, always clear the cache first and then look at the logs.',
  'The cache first, then the logs.',
];

/** Creates a user, Alex, whose memory has rows of every kind: corrected, refused, retracted, linked, rated, reviewed, merged and forgotten. */
export const fullMemory = madeOnce('full', async () => {
  const { world, alex } = await alexWorld();
  await alex.execute(CONFIGURE);
  await tellThreads(world, alex, [...FLAT, PARROT], { from: '2026-04-01T08:00:00Z' });
  const { links } = await linksOf(alex);
  const joined = links.find(({ verdict }) => verdict === 'LINK');
  await rate(alex, joined?.id ?? '', 'CORRECT');
  await learn(world, alex);
  await merge(world, alex);
  await review(world, alex);
  await forgetSome(world, alex);
  await consolidate(alex);
  await synthesize(alex);
  await world.ctx.db.pool.query(TUNED, [alex.userId]);
  await world.ctx.db.pool.query(TUNING, [alex.userId]);
  world.now = new Date('2026-04-20T12:00:00Z');
  await world.settle();
  return { world, alex };
});

async function learn(world: World, alex: Client) {
  const record = (input: object) => alex.execute(RECORD, { input: input as never });
  const sayInThread = async (text: string, occurredAt: string) => {
    await say(alex, { channel: 'web', newThread: {}, turns: [{ text, occurredAt }] });
    await world.settle();
  };
  world.now = new Date('2026-04-02T12:00:00Z');
  await sayInThread('My email is alex@example.org and I live in Braga.', '2026-04-02T10:00:00Z');
  await sayInThread('Actually I moved to Porto.', '2026-04-02T11:00:00Z');
  const { rules } = world.ctx;
  const readTurns: typeof rules.readTurns = async (...args) =>
    unsure(await rules.readTurns(...args));
  world.with({ rules: { ...rules, readTurns } });
  await sayInThread('My name is Al.', '2026-04-02T11:30:00Z');
  world.restore();
  await record({ category: 'GOAL', value: 'learn Danish' });
  await record({ category: 'GOAL', value: 'learn Polish' });
  const { facts } = await factsOf(alex);
  const idOf = (word: string) => facts.find(({ value }) => value.includes(word))?.id ?? '';
  await alex.execute(RETRACT, { factId: idOf('Danish') });
  await alex.execute(RETRACT, { factId: idOf('Polish') });
  await alex.execute(RESTORE, { factId: idOf('Polish') });
}

/** Adds a thread with skills, and an episode into which another is merged. */
async function merge(world: World, alex: Client) {
  world.now = new Date('2026-04-12T12:00:00Z');
  await say(alex, { channel: 'sms', turns: talk(HABITS, '2026-04-08T09:00:00Z') });
  await world.settle();
  await alex.execute(CONFIGURE_CAPTURE, { capture: null, timeZone: 'Europe/Lisbon' });
  const tell = tellIn(world);
  await tell(alex, '2026-04-10T09:00:00Z', DENTIST);
  await tell(alex, '2026-04-11T18:00:00Z', DENTIST_AGAIN);
}

async function review(world: World, alex: Client) {
  const { rows } = await world.ctx.db.pool.query<{ id: number }>(
    `SELECT id FROM episodes WHERE user_id = $1 AND capture = 'CREATED' ORDER BY id LIMIT 3`,
    [alex.userId],
  );
  const [store = 0, roof = 0, car = 0] = rows.map(({ id }) => id);
  const shown = await showAndTalk(world, alex, [store, roof], { at: '2026-04-13T15:00:00Z' });
  await shown.close();
  await world.settle();
  await showAndTalk(world, alex, [car], { at: '2026-04-20T11:00:00Z', talk: [] });
}

async function forgetSome(world: World, alex: Client) {
  const [turn] = await say(alex, {
    channel: 'sms',
    turns: [
      {
        text: 'Forget the zeppelin.',
        occurredAt: '2026-04-14T08:00:00Z',
        idempotencyKey: 'zeppelin',
      },
      {
        role: 'TOOL',
        speaker: 'calendar',
        text: 'Booked.',
        occurredAt: '2026-04-14T08:01:00Z',
        toolCalls: [{ name: 'book', ok: true, result: 'Tuesday' }],
      },
    ],
  });
  await world.settle();
  await alex.execute(FORGET_FACT, { input: { turnId: turn?.id ?? '' } });
}
