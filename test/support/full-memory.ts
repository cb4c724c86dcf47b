import { consolidate, synthesize } from './consolidation.ts';
import { say } from './conversation.ts';
import { FORGET_FACT, factsOf, RECORD, RESTORE, RETRACT } from './facts.ts';
import { graphql } from './generated/gql.ts';
import { FLAT, linksOf, PARROT, rate, tellThreads } from './links.ts';
import { alexWorld } from './recall.ts';
import { showAndTalk } from './reviews.ts';
import type { Client, World } from './world.ts';

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

/** Numbers that tuning leaves only after a hundred decisions. */
const TUNED = `
INSERT INTO linking_settings (user_id, threshold, weights, hints, updated_at)
VALUES ($1, 0.65, '{"keyword": 0.3, "entity": 0.3, "topic": 0.2, "recency": 0.2}', '{topic}', now())`;
const TUNING = `
INSERT INTO tuning_runs (user_id, number, kind, kept, reason, decisions, previous, next, metrics, thresholds, disagreements, at)
VALUES ($1, 1, 'TUNED', true, 'better', 100, '{}', '{}', '{}', '[]', '{}', '2026-03-01T00:00:00Z')`;

/** Alex, whose memory has a row of every kind: corrected, refused, retracted, linked, rated, reviewed, merged and forgotten ones. */
export async function fullMemory(): Promise<{ world: World; alex: Client }> {
  const { world, alex } = await alexWorld();
  await alex.execute(CONFIGURE);
  await tellThreads(world, alex, [...FLAT, PARROT], { from: '2026-04-01T08:00:00Z' });
  const { links } = await linksOf(alex);
  const joined = links.find(({ verdict }) => verdict === 'LINK');
  await rate(alex, joined?.id ?? '', 'CORRECT');
  await learn(world, alex);
  await review(world, alex);
  await forgetSome(world, alex);
  await consolidate(alex);
  await synthesize(alex);
  await world.ctx.db.pool.query(TUNED, [alex.userId]);
  await world.ctx.db.pool.query(TUNING, [alex.userId]);
  world.now = new Date('2026-04-20T12:00:00Z');
  await world.settle();
  return { world, alex };
}

async function learn(world: World, alex: Client) {
  const record = (input: object) => alex.execute(RECORD, { input: input as never });
  const tell = async (text: string, occurredAt: string) => {
    await say(alex, { channel: 'web', newThread: {}, turns: [{ text, occurredAt }] });
    await world.settle();
  };
  world.now = new Date('2026-04-02T12:00:00Z');
  await tell('My email is alex@example.org and I live in Braga.', '2026-04-02T10:00:00Z');
  await tell('Actually I moved to Porto.', '2026-04-02T11:00:00Z');
  await record({ category: 'IDENTITY', key: 'profile:employer', value: 'Acme' });
  await tell('I might work at Globex.', '2026-04-02T11:30:00Z');
  await record({ category: 'GOAL', value: 'learn Danish' });
  await record({ category: 'GOAL', value: 'learn Polish' });
  const { facts } = await factsOf(alex);
  const idOf = (word: string) => facts.find(({ value }) => value.includes(word))?.id ?? '';
  await alex.execute(RETRACT, { factId: idOf('Danish') });
  await alex.execute(RETRACT, { factId: idOf('Polish') });
  await alex.execute(RESTORE, { factId: idOf('Polish') });
}

async function review(world: World, alex: Client) {
  const { rows } = await world.ctx.db.pool.query<{ id: number }>(
    `SELECT id FROM episodes WHERE user_id = $1 AND capture = 'CREATED' ORDER BY id LIMIT 3`,
    [alex.userId],
  );
  const [store = 0, roof = 0, car = 0] = rows.map(({ id }) => id);
  const shown = await showAndTalk(world, alex, [store, roof], { at: '2026-04-05T15:00:00Z' });
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
        occurredAt: '2026-04-06T08:00:00Z',
        idempotencyKey: 'zeppelin',
      },
      {
        role: 'TOOL',
        speaker: 'calendar',
        text: 'Booked.',
        occurredAt: '2026-04-06T08:01:00Z',
        toolCalls: [{ name: 'book', ok: true, result: 'Tuesday' }],
      },
    ],
  });
  await world.settle();
  await alex.execute(FORGET_FACT, { input: { turnId: turn?.id ?? '' } });
}
