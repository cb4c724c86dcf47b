import { expect, it } from 'vitest';
import type { Hit } from '../../../src/recall/assemble.ts';
import { fitPrompt } from '../../../src/recall/prompt/prompt-budget.ts';

const at = new Date('2026-03-05T12:00:00Z');
const turn = (id: number, text: string) => ({
  id,
  threadId: 1,
  number: id,
  role: 'USER' as const,
  speaker: null,
  text,
  occurredAt: at,
});
const hit = (rank: number, text: string) =>
  ({
    kind: 'TURN',
    rank,
    score: 1 / rank,
    turn: turn(rank, text),
    before: [],
    after: [],
  }) as unknown as Hit;

const material = (hits: Hit[], window: ReturnType<typeof turn>[] = []) => ({
  ...{ message: 'Which herons?', timeZone: 'UTC', continuity: null, exchanges: [], summaries: [] },
  ...{ facts: [], profile: null, hits, window: window as never, asOf: at },
});

/** About a hundred tokens in one sentence: an excerpt of it is given. */
const LONG = `The herons ${'stand in the reeds and '.repeat(20)}sleep.`;

it('a message that does not fit is left out, and a shorter one after it is taken', async () => {
  const long = Array.from({ length: 11 }, (_, index) => hit(index + 1, LONG));
  const { hits, leftOut, tokens } = await fitPrompt(material([...long, hit(12, 'White.')]), 200);
  expect(hits.length).toBeGreaterThan(3);
  expect(hits.length).toBeLessThan(9);
  const ranks = hits.map(({ rank }) => rank);
  expect(ranks).toEqual([...long.slice(0, hits.length - 1).map(({ rank }) => rank), 12]);
  expect(leftOut.hits).toBe(12 - hits.length);
  expect(tokens).toBeLessThanOrEqual(200);
});

it('nothing is left out in the middle of the recent conversation', async () => {
  const window = [turn(1, 'Hello.'), turn(2, `${LONG} ${LONG} ${LONG}`), turn(3, 'Which ones?')];
  const { window: taken, leftOut } = await fitPrompt(material([], window), 200);
  expect(taken.map(({ number }) => number)).toEqual([3]);
  expect(leftOut.window).toBe(2);
});

it('a long message that goes on from an earlier thread is repeated in short, within the budget', async () => {
  const message = `${LONG.repeat(10)} Which herons were they?`;
  const continuity = { line: 'You were asking about herons.', pause: null };
  const { markdown, tokens } = await fitPrompt({ ...material([]), message, continuity }, 200);
  expect(markdown).toContain('Current question: Which herons were they?');
  expect(tokens).toBeLessThanOrEqual(200);
  const ofRareTokens = { ...material([]), message: '鷺'.repeat(10_000), continuity };
  expect((await fitPrompt(ofRareTokens, 200)).tokens).toBeLessThanOrEqual(200);
});

it('a prompt with a profile alone is within the budget, too', async () => {
  const sizes = Array.from({ length: 12 }, (_, index) => 150 + index);
  const fitted = await Promise.all(
    sizes.map((words) => {
      const profile = { version: 1, prose: 'tea '.repeat(words).trim() };
      return fitPrompt({ ...material([]), profile }, 200);
    }),
  );
  expect(Math.max(...fitted.map(({ tokens }) => tokens))).toBeLessThanOrEqual(200);
  expect(new Set(fitted.map(({ leftOut }) => leftOut.profile))).toEqual(new Set([0, 1]));
});
