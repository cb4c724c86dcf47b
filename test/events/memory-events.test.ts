import { afterAll, beforeAll, expect, it } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import { say, sayAt } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const EVENTS = graphql(`
  query Events($first: Int!) {
    viewer {
      events(first: $first) {
        edges {
          node {
            number
            kind
            decision
            thread {
              turnCount
            }
            turns {
              text
            }
          }
        }
      }
    }
  }
`);

it('thread and turn operations are in the event log in order', async () => {
  world.now = new Date('2026-03-02T12:00:00Z');
  const client = await world.user('log');
  await say(client, {
    channel: 'sms',
    turns: [
      { text: 'one', occurredAt: '2026-03-02T10:00:00Z' },
      { text: 'two', occurredAt: '2026-03-02T10:01:00Z' },
    ],
  });
  await sayAt(client, '11:50', 'three');
  await world.settle();
  const { viewer } = await client.execute(EVENTS, { first: 20 });
  const log = (viewer?.events.edges ?? []).map(({ node }) => [
    node.number,
    node.kind,
    node.decision,
    node.turns.map((turn) => turn.text).join(' '),
  ]);
  expect(log.slice(0, 5)).toEqual([
    [1, 'THREAD_OPENED', 'thread.open', ''],
    [2, 'TURNS_REMEMBERED', 'turns.remember (2)', 'one two'],
    [3, 'THREAD_IDLED', 'thread.idle (silence over 30 min)', ''],
    [4, 'THREAD_OPENED', 'thread.open', ''],
    [5, 'TURNS_REMEMBERED', 'turns.remember (1)', 'three'],
  ]);
  // The background steps, those of one lane in their order.
  const made = log
    .slice(5)
    .map(([_number, ...event]) => event)
    .filter(([kind]) => !/^(LINK|CROSS)_/.test(String(kind)));
  const language = made.filter(([kind]) => kind !== 'TURNS_EMBEDDED');
  expect(made).toHaveLength(4);
  expect(made).toContainEqual([
    'TURNS_EMBEDDED',
    expect.stringContaining('turns.embed (3 by'),
    'one two three',
  ]);
  expect(language).toEqual([
    ['SEGMENT_CLOSED', 'segment.close idle (turns 1-2, surprise 0.00)', ''],
    ['EPISODE_SKIPPED', expect.stringMatching(/^episodic\.skip \(.*turns 1-2, notability/), ''],
    ['THREAD_COMPACTED', 'thread.compact (2 turns, 0 skills, by extractive/1)', ''],
  ]);
});

it('a page of events with threads and turns costs a fixed number of statements', async () => {
  world.now = new Date('2026-03-03T12:00:00Z');
  const client = await world.user('n-plus-one');
  for (let n = 0; n < 12; n += 1) await sayAt(client, `${10 + n}:00`, `turn ${n}`);
  const count = async (first: number) => {
    world.statements.length = 0;
    await client.execute(EVENTS, { first });
    return world.statements.length;
  };
  const few = await count(3);
  expect(few).toBeGreaterThan(3);
  expect(await count(24)).toBe(few);
});
