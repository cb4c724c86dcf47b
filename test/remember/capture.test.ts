import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say } from '../support/conversation.ts';
import { CONFIGURE_CAPTURE, memoryOf } from '../support/episodes.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

let world: World;
const logged: { name: string; fields: object }[] = [];
const write = (fields: object, name: string) => void logged.push({ name, fields });
beforeAll(async () => {
  world = await createWorld(
    {},
    { logger: { debug: write, info: write, warn: write, error: write } as never },
  );
  world.now = new Date('2026-03-20T12:00:00Z');
});
afterAll(() => world[Symbol.asyncDispose]());

type Line = [
  role: 'USER' | 'ASSISTANT' | 'TOOL',
  text: string,
  tool?: { name: string; ok: boolean },
];

/** Says lines a minute apart, from a time on, and lets all be made of them. */
async function tell(client: Client, from: string, lines: readonly Line[]) {
  const turns = lines.map(([role, text, tool], index) => ({
    role,
    text,
    occurredAt: new Date(Date.parse(from) + index * 60_000).toISOString(),
    ...(tool ? { toolCalls: [{ ...tool, result: text }] } : {}),
  }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  const { segments, errors } = await memoryOf(client);
  expect(errors).toEqual([]);
  return segments.at(-1) as (typeof segments)[number];
}

const DENTIST: Line[] = [
  ['USER', 'My back tooth has hurt since Sunday, so I decided to see the dentist in Rua Augusta.'],
  ['ASSISTANT', 'Shall I book the dentist for Tuesday at nine?'],
  ['USER', 'Yes, please book Tuesday at nine with the dentist.'],
  [
    'TOOL',
    'Appointment created: Tuesday 09:00, dentist Rua Augusta.',
    { name: 'create_appointment', ok: true },
  ],
  ['ASSISTANT', 'Done: the dentist expects you on Tuesday at nine.'],
];
const DENTIST_AGAIN: Line[] = [
  ['USER', 'The dentist in Rua Augusta pulled the back tooth, it had a crack. It hurts less now.'],
  ['ASSISTANT', 'Good that the dentist found the crack in the tooth. Rest a little.'],
  ['USER', 'The dentist wants to see the tooth again next week, we agreed on Monday at ten.'],
  ['ASSISTANT', 'I have noted the next appointment at the dentist for Monday at ten.'],
];
const ROOF: Line[] = [
  ['USER', 'The storm tore forty tiles off the roof of the barn last night.'],
  ['ASSISTANT', 'Is the hay under the roof still dry?'],
  [
    'USER',
    'Half of the hay got wet, so we carried it out and my brother nailed a tarpaulin over the hole.',
  ],
  ['ASSISTANT', 'Then the barn should hold until the roofer comes.'],
];
const CAR: Line[] = [
  ['USER', 'We sold the old Volvo to a student from Braga yesterday, for 1,900 euros.'],
  ['ASSISTANT', 'Did he take the winter tyres as well?'],
  [
    'USER',
    'He did, and he drove the Volvo home in the evening. I cried a little when it left the yard.',
  ],
  ['ASSISTANT', 'It carried you for nineteen years.'],
];
const ROUTINE: Line[] = [
  ['USER', 'What time is it in Tokyo?'],
  ['ASSISTANT', 'It is 21:04 in Tokyo.'],
  ['USER', 'Set a timer for ten minutes.'],
  ['ASSISTANT', 'The timer is running.'],
];
const FACT: Line[] = [
  ['USER', 'Just so you know, my cat Luna turned 4.'],
  ['ASSISTANT', 'Noted: Luna is 4 now.'],
];
const RECALL: Line[] = [
  ['USER', 'Do you remember what we talked about last week, the thing with the roof?'],
  ['ASSISTANT', 'You told me that the storm tore forty tiles off the roof of the barn.'],
];

describe('what becomes of a closed segment (seed 002)', () => {
  it('a decision with tool success becomes an episode; what follows on the theme is merged into it', async () => {
    const client = await world.user('merge');
    const created = await tell(client, '2026-03-02T09:00:00Z', DENTIST);
    expect(created).toMatchObject({
      capture: 'CREATED',
      captureReason: 'outcome',
      captureSignals: { toolChanges: 1, turnsSince: null, createdToday: 0, novelty: 1 },
      generatedBy: 'EXTRACTIVE',
      lastReviewedAt: null,
    });
    const merged = await tell(client, '2026-03-03T18:00:00Z', DENTIST_AGAIN);
    expect(merged).toMatchObject({
      capture: 'MERGED',
      captureReason: 'same theme',
      mergedInto: { id: created.id },
      stability: null,
    });
    expect(merged.captureSignals?.similarity).toBeGreaterThanOrEqual(0.6);
    const { segments, events } = await memoryOf(client);
    const whole = segments.find(({ id }) => id === created.id);
    expect(whole).toMatchObject({
      title: created.title,
      micro: created.summary,
      revisions: [{ number: 1, summary: created.summary }],
      stability: created.stability,
    });
    expect(whole?.summary).not.toBe(created.summary);
    expect(whole?.summary).toMatch(/Monday|crack/);
    const taken = events.filter(({ kind }) => kind.startsWith('EPISODE_'));
    expect(taken).toEqual([
      {
        kind: 'EPISODE_CREATED',
        decision: expect.stringMatching(
          /^episodic\.create \(outcome; turns 1-5, notability 0\.\d\d\)$/,
        ),
        episode: { id: created.id },
      },
      {
        kind: 'EPISODE_MERGED',
        decision: expect.stringMatching(/^episodic\.merge \(same theme; turns 1-4, notability/),
        episode: { id: merged.id },
      },
    ]);
  });

  it('the merge window ends: the same theme three days later is an episode of its own', async () => {
    const client = await world.user('too-late');
    await tell(client, '2026-03-02T09:00:00Z', DENTIST);
    expect(await tell(client, '2026-03-05T18:00:00Z', DENTIST_AGAIN)).toMatchObject({
      capture: 'CREATED',
      mergedInto: null,
    });
  });

  it.each([
    ['routine turns', 'routine', ROUTINE, 'routine'],
    ['a pure fact update', 'fact', FACT, 'fact update'],
  ])('%s are skipped, and stay readable', async (_name, user, lines, captureReason) => {
    const client = await world.user(user);
    const skipped = await tell(client, '2026-03-02T09:00:00Z', lines);
    expect(skipped).toMatchObject({ capture: 'SKIPPED', captureReason, stability: null });
    expect(skipped.turns.map(({ text }) => text)).toEqual(lines.map(([, text]) => text));
    expect(skipped.title).toMatch(/\w/);
  });

  it('asking for what was said becomes an episode', async () => {
    const client = await world.user('recall');
    expect(await tell(client, '2026-03-02T09:00:00Z', RECALL)).toMatchObject({
      capture: 'CREATED',
      captureReason: 'recall intent',
    });
  });

  it('what holds nothing new is skipped', async () => {
    const client = await world.user('stale');
    await tell(client, '2026-03-02T09:00:00Z', ROOF);
    expect(await tell(client, '2026-03-09T09:00:00Z', ROOF)).toMatchObject({
      capture: 'SKIPPED',
      captureReason: 'nothing new',
      captureSignals: { novelty: 0 },
    });
  });

  it('an episode follows another after 3 turns or 10 minutes, by default', async () => {
    const client = await world.user('cooldown');
    await client.execute(CONFIGURE_CAPTURE, { capture: { cooldownTurns: 5 } });
    await tell(client, '2026-03-02T09:00:00Z', ROOF);
    // A new implicit thread is at least 30 minutes away; one that is asked for comes sooner.
    const turns = CAR.map(([role, text], index) => ({
      role,
      text,
      occurredAt: new Date(Date.UTC(2026, 2, 2, 9, 4, index)).toISOString(),
    }));
    await say(client, { channel: 'web', newThread: { title: 'Car' }, turns });
    await world.settle();
    expect((await memoryOf(client)).segments.at(-1)).toMatchObject({
      capture: 'SKIPPED',
      captureReason: 'cooldown',
      captureSignals: { turnsSince: 4 },
    });
  });

  it('at most so many episodes are created a day, by the calendar of the user; merging goes on', async () => {
    const client = await world.user('quota');
    const capture = { maxPerDay: 1 };
    await client.execute(CONFIGURE_CAPTURE, { capture, timeZone: 'Pacific/Auckland' });
    // In Auckland 12:30 UTC is half past one in the night of the next day.
    const first = await tell(client, '2026-03-02T09:00:00Z', DENTIST);
    expect(await tell(client, '2026-03-02T10:00:00Z', ROOF)).toMatchObject({
      capture: 'SKIPPED',
      captureReason: 'quota',
      captureSignals: { createdToday: 1 },
    });
    expect(await tell(client, '2026-03-02T10:40:00Z', DENTIST_AGAIN)).toMatchObject({
      capture: 'MERGED',
      mergedInto: { id: first.id },
    });
    expect(await tell(client, '2026-03-02T12:30:00Z', CAR)).toMatchObject({
      capture: 'CREATED',
      date: '2026-03-03',
    });
  });

  it('with EVERYTHING every segment becomes an episode', async () => {
    const client = await world.user('everything');
    await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
    for (const [day, lines] of [ROUTINE, FACT, ROOF, ROOF].entries()) {
      expect(await tell(client, `2026-03-0${day + 2}T09:00:00Z`, lines)).toMatchObject({
        capture: 'CREATED',
        captureReason: 'everything',
        stability: expect.any(Number),
      });
    }
  });

  it('the log tells each decision with its scores, and no word that was said', () => {
    const decisions = logged.filter(({ name }) => name.startsWith('episodic.'));
    expect(new Set(decisions.map(({ name }) => name))).toEqual(
      new Set(['episodic.create', 'episodic.merge', 'episodic.skip']),
    );
    expect(decisions[0]?.fields).toMatchObject({
      userId: 'merge',
      episode: expect.any(Number),
      reason: 'outcome',
      notability: expect.any(Number),
    });
    expect(JSON.stringify(logged)).not.toMatch(/dentist|Volvo|Luna|tiles/);
  });
});

describe('an episode', () => {
  it('has its day in the time zone of the user, in a sentence and as fields; UTC if it is unknown', async () => {
    const newYear = '2027-01-01T04:30:00Z';
    world.now = new Date('2027-02-01T00:00:00Z');
    const there = await world.user('new-york');
    await there.execute(CONFIGURE_CAPTURE, { timeZone: 'America/New_York' });
    expect(await tell(there, newYear, ROOF)).toMatchObject({
      date: '2026-12-31',
      week: 53,
      year: 2026,
      partOfDay: 'NIGHT',
      sentence: expect.stringMatching(/^On 2026-12-31 \(W53, 2026\) we discussed .*\.$/),
    });
    const unknown = await world.user('nowhere');
    expect(await tell(unknown, newYear, ROOF)).toMatchObject({
      date: '2027-01-01',
      week: 53,
      year: 2026,
    });
    world.now = new Date('2026-03-20T12:00:00Z');
  });

  it("keeps FSRS's first state, boosted by its surprise", async () => {
    const client = await world.user('stability');
    await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
    await tell(client, '2026-03-02T09:00:00Z', [...ROOF, ...DENTIST]);
    const { segments } = await memoryOf(client);
    expect(segments.length).toBeGreaterThanOrEqual(2);
    expect(segments.map(({ surprise }) => surprise).some((surprise) => (surprise ?? 0) > 0.2)).toBe(
      true,
    );
    for (const { stability, surprise, difficulty } of segments) {
      // What FSRS-6 gives after "good".
      expect(stability).toBeCloseTo(2.3065 * (1 + 0.5 * (surprise ?? 0)), 4);
      expect(difficulty).toBeGreaterThan(1);
    }
  });
});

describe('the settings of capture', () => {
  it("are the deployment's until the user has own ones; null goes back", async () => {
    const client = await world.user('settings');
    const usual = {
      everything: false,
      cooldownTurns: 3,
      cooldownMinutes: 10,
      maxPerDay: 5,
      noveltyMin: 0.15,
      mergeWindowHours: 48,
      windowTurns: 40,
    };
    const set = async (capture: object | null) =>
      (await client.execute(CONFIGURE_CAPTURE, { capture })).configureUser;
    expect(await set({ maxPerDay: 9, mergeWindowHours: 72 })).toMatchObject({
      captureSettings: { ...usual, maxPerDay: 9, mergeWindowHours: 72 },
    });
    expect(await set({ mergeWindowHours: null, noveltyMin: 0.5 })).toMatchObject({
      captureSettings: { ...usual, maxPerDay: 9, noveltyMin: 0.5 },
    });
    expect(await set(null)).toMatchObject({ captureSettings: usual });
    expect(await set({ noveltyMin: 1.5, maxPerDay: 0 })).toMatchObject({
      issues: [{ path: 'input.capture.maxPerDay' }, { path: 'input.capture.noveltyMin' }],
    });
  });
});
