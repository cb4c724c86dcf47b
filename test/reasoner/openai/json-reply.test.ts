import { expect, it } from 'vitest';
import { z } from 'zod';
import { readReply } from '../../../src/reasoner/openai/json-reply.ts';
import { processorTime } from '../../support/processor-time.ts';

/** At the first a cube of the length takes seconds, at the second a square. */
const LENGTHS = [2_000, 100_000];
/** Milliseconds of processor time. */
const PATIENCE = 500;

const replies: [what: string, make: (length: number) => string][] = [
  ['a fence and line ends', (length) => `\`\`\`\n${'\n'.repeat(length)}\0${'\n'.repeat(length)}`],
  ['fences', (length) => '```\n'.repeat(length / 4)],
  ['thinking without an end', (length) => '<think>'.repeat(length / 7)],
  ['blanks that do not end it', (length) => `${' '.repeat(length)}\0${' '.repeat(length)}x`],
  ['brackets', (length) => '['.repeat(length)],
  ['a string without an end', (length) => `{"a":"${'\\'.repeat(length)}`],
];

it.each(replies)('a reply of %s is read in time proportional to its length', (_what, make) => {
  for (const length of LENGTHS) {
    const text = make(length);
    const read = () => expect(readReply(text, z.object({})).ok).toBe(false);
    expect(processorTime(read, PATIENCE)).toBeLessThan(PATIENCE);
  }
});
