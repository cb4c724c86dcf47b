import { expect, it } from 'vitest';
import { z } from 'zod';
import { readReply } from '../../../src/reasoner/openai/json-reply.ts';
import { processorTime } from '../../support/samples/hostile-texts.ts';

const SHORT = 100_000;
const TIMES = 8;
/** Of work that takes time in proportion to its text, with room for what a machine does besides; of the square it is 64. */
const MOST_TIMES = 24;
const PATIENCE = 500;

const replies: [what: string, make: (length: number) => string][] = [
  ['a fence and line ends', (length) => `\`\`\`\n${'\n'.repeat(length)}\0${'\n'.repeat(length)}`],
  ['fences', (length) => '```\n'.repeat(length / 4)],
  ['thinking without an end', (length) => '<think>'.repeat(length / 7)],
  ['blanks that do not end it', (length) => `${' '.repeat(length)}\0${' '.repeat(length)}x`],
  ['brackets', (length) => '['.repeat(length)],
  ['a string without an end', (length) => `{"a":"${'\\'.repeat(length)}`],
];

it.each(replies)('a reply of %s is read in time in proportion to its length', (_what, make) => {
  const read = (length: number) => {
    const text = make(length);
    return processorTime(() => expect(readReply(text, z.object({})).ok).toBe(false));
  };
  read(SHORT);
  const short = read(SHORT);
  expect(read(SHORT * TIMES)).toBeLessThan(Math.max(PATIENCE, short * MOST_TIMES));
});
