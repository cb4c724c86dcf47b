import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGURE_CAPTURE, memoryOf } from '../../support/episodes.ts';
import { say } from '../../support/samples/conversation.ts';
import {
  CAR,
  DENTIST,
  DENTIST_AGAIN,
  FACT,
  RECALL,
  ROOF,
  ROUTINE,
  tellIn,
} from '../../support/samples/conversations.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
const logged: { name: string; fields: object }[] = [];
const write = (fields: object, name: string) => void logged.push({ name, fields });
let tell: ReturnType<typeof tellIn>;
beforeAll(async () => {
  world = await createWorld(
    {},
    { logger: { debug: write, info: write, warn: write, error: write } as never },
  );
  world.now = new Date('2026-03-20T12:00:00Z');
  tell = tellIn(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe('what becomes of a closed segment', () => {
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

  it('after the merge window, the same theme three days later becomes an episode of its own', async () => {
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

  it('a segment that asks for earlier talk becomes an episode', async () => {
    const client = await world.user('recall');
    expect(await tell(client, '2026-03-02T09:00:00Z', RECALL)).toMatchObject({
      capture: 'CREATED',
      captureReason: 'recall intent',
    });
  });

  it('a segment with nothing new is skipped', async () => {
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

  it('the number of episodes per day of the user is limited; merging is not', async () => {
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

  it('the log records each decision with its scores and no words of the user', () => {
    const decisions = logged.filter(({ name }) => name.startsWith('episodic.'));
    expect(new Set(decisions.map(({ name }) => name))).toEqual(
      new Set(['episodic.decide', 'episodic.create', 'episodic.merge', 'episodic.skip']),
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
