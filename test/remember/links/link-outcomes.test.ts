import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from '../../support/episodes.ts';
import { FORGET_FACT } from '../../support/facts.ts';
import { FLAT, linksOf, PARROT, tellThreads } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const GOES_ON = ['How large is the kitchen of the flat?', 'And is the flat in Cedofeita quiet?'];
const ON_KIKI = [
  'Which vet knows about parrots?',
  'How long do feathers of a parrot need to grow?',
];

/** Tells two threads, then what the user says in the second, and returns the decision about them. */
async function decisionAfter(
  userId: string,
  second: readonly string[],
  later: readonly string[],
  from = '2026-03-02T08:00:00Z',
) {
  const client = await world.user(userId);
  world.now = new Date(from);
  await tellThreads(world, client, [FLAT[0], second], { from });
  const before = await linksOf(client);
  expect(before.links).toMatchObject([{ outcome: 'UNKNOWN', sign: null, ratedAt: null }]);
  const turns = later.flatMap((text) => [text, 'Let me see.']);
  world.now = new Date(Date.parse(from) + 70 * 60_000);
  const start = new Date(Date.parse(from) + 62 * 60_000).toISOString();
  if (turns.length > 0) await say(client, { channel: 'sms', turns: talk(turns, start, 20_000) });
  await world.settle();
  const { links, events, episodes } = await linksOf(client);
  return { link: links[0], events, episodes };
}

it.each([
  ['goes on naturally', FLAT[1], GOES_ON, 'LINK', 'CORRECT', 'CONTINUED', true],
  [
    'says "that’s not what I meant"',
    FLAT[1],
    ["That's not what I meant."],
    'LINK',
    'INCORRECT',
    'DENIED',
    false,
  ],
  ['switches to another topic', FLAT[1], ON_KIKI, 'LINK', 'INCORRECT', 'SWITCHED_TOPIC', true],
  ['says nothing more', FLAT[1], [], 'LINK', 'UNKNOWN', null, true],
  [
    'asks "didn’t we talk about this?"',
    PARROT,
    ["Didn't we talk about this?"],
    'DONT_LINK',
    'INCORRECT',
    'ASKED_BACK',
    true,
  ],
  [
    'starts a fresh conversation',
    ['Hello! My parrot Kiki lost feathers.'],
    ON_KIKI,
    'DONT_LINK',
    'CORRECT',
    'STARTED_AFRESH',
    false,
  ],
  ['continues with a new topic', PARROT, ON_KIKI, 'DONT_LINK', 'CORRECT', 'NEW_TOPIC', false],
] as const)(
  'when the user %s, the decision about linking is rated by that',
  async (what, second, later, verdict, outcome, sign, joins) => {
    const { link, events, episodes } = await decisionAfter(what.replace(/\W/g, ''), second, later);
    expect(link).toMatchObject({ verdict, outcome, sign, joins });
    expect(link?.ratedAt === null).toBe(sign === null);
    const rated = events.filter(({ kind }) => kind === 'LINK_RATED');
    expect(rated.map(({ decision }) => decision)).toEqual(
      sign === null
        ? []
        : [`link.rate ${outcome} (${verdict} of thread 2 with 1; ${sign.toLowerCase()})`],
    );
    expect(episodes).toHaveLength(joins ? 1 : 0);
  },
);

it('the outcome stays UNKNOWN if there is no sign before the thread is over', async () => {
  const { link } = await decisionAfter('silent', FLAT[1], []);
  expect(link?.outcome).toBe('UNKNOWN');
  world.now = new Date('2026-03-02T20:00:00Z');
  await world.settle();
  const { links } = await linksOf(await world.user('silent'));
  expect(links).toMatchObject([{ outcome: 'UNKNOWN', sign: null }]);
  const { rows } = await world.ctx.db.pool.query(
    `SELECT watched_through FROM links WHERE user_id = 'silent'`,
  );
  expect(rows).toEqual([{ watched_through: null }]);
});

it('a sign that is forgotten while it is being read rates nothing', async () => {
  const client = await world.user('forgotten-sign');
  const from = '2026-03-02T08:00:00Z';
  world.now = new Date(from);
  await tellThreads(world, client, [FLAT[0], FLAT[1]], { from });
  const [first] = (await linksOf(client)).links;
  expect(first).toMatchObject({ verdict: 'LINK', outcome: 'UNKNOWN', joins: true });
  world.now = new Date('2026-03-02T09:10:00Z');
  const [denial] = await say(client, {
    channel: 'sms',
    turns: talk(["That's not what I meant."], '2026-03-02T09:02:00Z'),
  });
  const { rules } = world.ctx;
  const signs: (string | undefined)[] = [];
  const linkOutcome: typeof rules.linkOutcome = async (...args) => {
    const found = await rules.linkOutcome(...args);
    signs.push(found?.sign);
    if (signs.length === 1) {
      await client.execute(FORGET_FACT, { input: { turnId: denial?.id ?? '' } });
    }
    return found;
  };
  {
    using _ = world.with({ rules: { ...rules, linkOutcome } });
    await world.settle();
  }
  expect(signs[0]).toBe('DENIED');
  const { links, events } = await linksOf(client);
  expect(links).toMatchObject([{ outcome: 'UNKNOWN', sign: null, joins: true }]);
  expect(events.filter(({ kind }) => kind === 'LINK_RATED')).toEqual([]);
});
