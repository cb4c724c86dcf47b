import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORGET_MEMORY, talk } from '../../support/episodes.ts';
import { FLAT, linksOf, PARROT, rate, tellThreads } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

const FROM = '2026-03-02T08:00:00Z';

/** Tells two threads, then what is said later in the second; returns the ids of these last turns. */
async function tellOn(userId: string, second: readonly string[], later: readonly string[]) {
  const client = await world.user(userId);
  world.now = new Date(FROM);
  await tellThreads(world, client, [FLAT[0], second], { from: FROM });
  world.now = new Date('2026-03-02T09:10:00Z');
  const turns = talk(later, '2026-03-02T09:02:00Z', 20_000);
  const said = await say(client, { channel: 'sms', turns });
  await world.settle();
  return { client, ids: said.map(({ id }) => id) };
}

async function forgetTurn(client: Client, turnId = '') {
  const { forget } = await client.execute(FORGET_MEMORY, { input: { turnId } });
  expect(forget).toMatchObject({ turns: 1 });
}

const UNRATED = { outcome: 'UNKNOWN', sign: null, ratedAt: null };

it('a link that a forgotten turn had denied is decided again without it', async () => {
  const later = ["That's not what I meant.", 'Sorry.'];
  const { client, ids } = await tellOn('denied', FLAT[1], later);
  const before = await linksOf(client);
  expect(before.links).toMatchObject([{ sign: 'DENIED', outcome: 'INCORRECT', joins: false }]);
  await forgetTurn(client, ids[0]);
  expect((await linksOf(client)).links).toMatchObject([{ ...UNRATED, joins: false }]);
  await world.settle();
  const { links, episodes } = await linksOf(client);
  expect(links).toMatchObject([
    {
      id: before.links[0]?.id,
      verdict: 'LINK',
      ...UNRATED,
      joins: true,
      reasoning: expect.stringMatching(/\w/),
    },
  ]);
  expect(episodes).toMatchObject([{ kind: 'CROSS_THREAD' }]);
});

it('threads that a forgotten turn alone had joined are parted at once', async () => {
  const { client, ids } = await tellOn('asked', PARROT, ["Didn't we talk about this?", 'Hm.']);
  expect(await linksOf(client)).toMatchObject({
    links: [{ verdict: 'DONT_LINK', sign: 'ASKED_BACK', joins: true }],
    episodes: [{ kind: 'CROSS_THREAD' }],
  });
  await forgetTurn(client, ids[0]);
  expect(await linksOf(client)).toMatchObject({
    links: [{ ...UNRATED, joins: false }],
    episodes: [],
  });
  await world.settle();
  expect(await linksOf(client)).toMatchObject({
    links: [{ verdict: 'DONT_LINK', ...UNRATED, joins: false }],
    episodes: [],
  });
});

it('a sign that is left is found again after another turn was forgotten, also when the thread is over', async () => {
  const later = ["That's not what I meant.", 'Sorry.', 'It rains.', 'It does.'];
  const { client, ids } = await tellOn('still-denied', FLAT[1], later);
  world.now = new Date('2026-03-02T20:00:00Z');
  await world.settle();
  // What the assistant said is no evidence.
  await forgetTurn(client, ids[3]);
  expect((await linksOf(client)).links).toMatchObject([{ sign: 'DENIED', joins: false }]);
  await forgetTurn(client, ids[2]);
  expect((await linksOf(client)).links).toMatchObject([{ ...UNRATED, joins: false }]);
  await world.settle();
  expect((await linksOf(client)).links).toMatchObject([
    { verdict: 'LINK', sign: 'DENIED', outcome: 'INCORRECT', joins: false },
  ]);
});

it('a rating by hand stays when turns are forgotten', async () => {
  const { client, ids } = await tellOn('by-hand', FLAT[1], ['Is it quiet?', 'It is.']);
  const [link] = (await linksOf(client)).links;
  await rate(client, link?.id ?? '', 'INCORRECT');
  await forgetTurn(client, ids[0]);
  await world.settle();
  expect((await linksOf(client)).links).toMatchObject([
    { id: link?.id, sign: 'RATED', outcome: 'INCORRECT', joins: false, reasoning: null },
  ]);
});

it('a decision about threads that are no longer compared goes', async () => {
  const client = await world.user('far');
  const other = ['The bakery sells rye bread on Mondays.', 'Rye bread keeps for a week.'];
  world.now = new Date(FROM);
  await tellThreads(world, client, [FLAT[0], [...FLAT[1], ...other]], { from: FROM, hours: 240 });
  const before = await linksOf(client);
  expect(before.links).toMatchObject([{ verdict: 'LINK', joins: true }]);
  const turns = before.threads[1]?.turns.edges.map(({ node }) => node.id) ?? [];
  for (const turnId of turns.slice(0, 2)) await forgetTurn(client, turnId);
  await world.settle();
  expect(await linksOf(client)).toMatchObject({ links: [], episodes: [] });
});

it('a short thread that is linked is compared again with a thread that lost turns', async () => {
  const client = await world.user('short');
  world.now = new Date(FROM);
  await tellThreads(world, client, FLAT, { from: FROM });
  const before = await linksOf(client);
  const first = before.threads[0];
  const pair = ({ thread, earlierThread }: (typeof before.links)[number]) =>
    earlierThread.id === first?.id && thread.id === before.threads[2]?.id;
  expect(before.links.filter(pair)).toMatchObject([{ reasoning: expect.stringMatching(/\w/) }]);
  await forgetTurn(client, first?.turns.edges[0]?.node.id);
  expect((await linksOf(client)).links.filter(pair)).toMatchObject([{ reasoning: null }]);
  await world.settle();
  const { links } = await linksOf(client);
  expect(links.every(({ reasoning }) => reasoning !== null)).toBe(true);
  expect(links.filter(pair)).toHaveLength(1);
});
