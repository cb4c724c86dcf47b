import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { talk } from '../../support/episodes.ts';
import { recallAll } from '../../support/recall.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

const TURNS = [
  ['Rita hung the red lantern over the door.', 'The lantern was bought in Turku.'],
  ['We painted the boat and the lantern.', 'Ben says the lantern is crooked.'],
  ['The lantern broke again.', 'Shall we mend the lantern?', 'The lantern is mended.'],
];

/** A time that is not the same in milliseconds if it is computed as a float. */
const LONG_AGO = '2004-09-21T17:24:26.251Z';

const threadId = (id: number) => Buffer.from(`Thread:["ana-filters","${id}"]`).toString('base64');

let world: World;
let ana: Client;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-03-02T20:00:00Z');
  ana = await world.user('ana-filters');
  const long = { text: 'The lantern is old.', occurredAt: LONG_AGO };
  await say(ana, { channel: 'log', turns: [long] });
  for (const [day, texts] of TURNS.entries()) {
    const turns = talk(texts, `2026-02-0${day + 1}T09:00:00Z`);
    const said = turns.map((turn, at) => ({ ...turn, speaker: at % 2 ? 'Ben' : 'Ana' }));
    await say(ana, { channel: day === 2 ? 'voice' : 'sms', turns: said });
  }
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  { found: 6, from: '2026-02-01T09:01:00Z' },
  { found: 4, to: '2026-02-02T09:01:00Z' },
  { found: 4, from: '2026-02-02T09:00:00Z', to: '2026-02-03T09:02:00Z' },
  { found: 4, asOf: '2026-02-02T09:00:00Z' },
  { found: 1, from: LONG_AGO, to: '2004-09-21T17:24:26.252Z' },
  { found: 0, to: LONG_AGO },
  { found: 0, asOf: '2004-09-21T17:24:26.250Z' },
  { found: 3, channels: ['voice'] },
  { found: 0, channels: [] },
  { found: 3, threadIds: [threadId(1), threadId(2)] },
  { found: 3, speakers: ['Ben', 'Nobody'] },
  { found: 0, speakers: ['Nobody'] },
  { found: 3, query: 'What about the lantern on 3 February 2026?' },
])(
  'a recall with a filter finds the same turns in the cache and in the database: %j',
  async ({ found, ...filter }) => {
    const recall = async () => {
      const { turns } = await recallAll(ana, {
        ...{ query: 'lantern', kinds: ['TURN'], first: 12, ...filter },
      });
      return turns.map(({ turn }) => turn.text).sort();
    };
    const { turnCache } = world.ctx;
    turnCache.drop(ana.userId);
    const read = await recall();
    expect(read.length).toBe(found);
    await recall();
    await vi.waitUntil(() => turnCache.holds(ana.userId), { interval: 5, timeout: 60_000 });
    world.statements.length = 0;
    expect(await recall()).toEqual(read);
    expect(world.sent(/^(?:scan|search)-turns(?!-texts)/)).toEqual([]);
  },
);
