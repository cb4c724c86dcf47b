import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inPieces } from '../../../../src/reasoner/extractive/text/clip.ts';
import { ruleWords } from '../../../support/hostile/vocabulary.ts';

/** Milliseconds of the processor for a text; an idle machine needs less than a tenth. */
const LIMIT = 3_000;
/** By the clock, however much else is running: an expression that backtracks without bound never ends. */
const PATIENCE = 60_000;
const LENGTH = 2_000;

const FOUND = [
  `my tel ${'it is '.repeat(28)}\n`,
  `get us ${'it is '.repeat(28)}\n`,
  `call me ${'it is '.repeat(40)}`,
  `i have a${'a fewthe'.repeat(28)}\0`,
  `i have ked for a${'half athe'.repeat(28)}\0`,
  `i spent 0${'fifteen00'.repeat(28)}\0`,
  `i ${'have always '.repeat(27)}\0`,
  `i work in obqyspjmiu${' in obqyy'.repeat(252)}\0`,
  `oh it is my if${'pt'.repeat(1_651)}\0`,
  `NO ${'SORRY I MEAN '.repeat(27)}\n`,
  `${'\t'.repeat(3_302)}\0XD`,
  `\t${' \t'.repeat(1_651)}\0`,
  `r${'vy'.repeat(20_000)}`,
  `${'no... '.repeat(30)}`,
  `${'😀 '.repeat(2_000)}`,
  `${' \n'.repeat(5_000)}x`,
  `${'"'.repeat(5_000)}'`,
  `${"'a ".repeat(2_000)}`,
  `${'A. '.repeat(2_000)}`,
  `I was ${'kinda '.repeat(300)}`,
  `if I ${'use '.repeat(500)}:`,
];

const words = ruleWords();

/** The same texts in every run: words of the rules, alone and in pairs, again and again. */
function made(count: number): string[] {
  let state = 7;
  const word = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return words[(state >>> 8) % words.length] ?? '';
  };
  return Array.from({ length: count }, (_, index) => {
    const start = index % 2 === 0 ? 'I ' : 'my ';
    const part = `${word()} ${index % 3 === 0 ? `${word()} ` : ''}`;
    return `${start}${word()} ${part.repeat(LENGTH)}`.slice(0, LENGTH);
  });
}

const READER = fileURLToPath(new URL('../../../support/hostile/read-facts.ts', import.meta.url));
let reader: ChildProcess;
const start = async (): Promise<void> => {
  reader = fork(READER, { execArgv: ['--import', 'tsx'] });
  await once(reader, 'message');
};

/** The cost of a text; a process that does not come back is killed, so that the test fails and does not hang. */
async function costOf(text: string): Promise<number> {
  reader.send(text);
  const answer = once(reader, 'message', { signal: AbortSignal.timeout(PATIENCE) });
  const [cost] = await answer.catch(async () => {
    reader.kill('SIGKILL');
    await start();
    return [Number.POSITIVE_INFINITY];
  });
  return cost;
}

beforeAll(start, PATIENCE);
afterAll(() => {
  reader.kill('SIGKILL');
});

it('the vocabulary contains the words of the rules', () => {
  expect(words).toEqual(expect.arrayContaining(['no longer', 'really', 'pronouns']));
  expect(words.length).toBeGreaterThan(2_000);
});

describe('facts are extracted from hostile text in bounded time', () => {
  it.each(FOUND.map((text) => [text.slice(0, 30), text]))(
    'the hostile text %j is read in bounded time',
    { timeout: 2 * PATIENCE },
    async (_head, text) => {
      expect(await costOf(text)).toBeLessThan(LIMIT);
    },
  );

  it('texts made of the words of the rules are read in bounded time', {
    timeout: 5 * PATIENCE,
  }, async () => {
    const slow: unknown[] = [];
    for (const text of made(120)) {
      const cost = await costOf(text);
      if (cost >= LIMIT) slow.push([cost, text.slice(0, 80)]);
    }
    expect(slow).toEqual([]);
  });
});

it.each([' ', 'x', 'a word ', '😀'])(
  'the pieces of a long text add up to the whole text: %j repeated',
  (part) => {
    const text = part.repeat(1_000);
    const pieces = inPieces(text, 300);
    expect(pieces.join('')).toBe(text);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
  },
);
