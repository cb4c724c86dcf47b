import { z } from 'zod';
import { SURPRISE_LEVELS } from '../../reasoner.ts';
import { fence, prompt, writeTurns } from './prompt.ts';

export const LEVELS = [
  'LOW',
  'HIGH',
  'EXTREME',
] as const satisfies (keyof typeof SURPRISE_LEVELS)[];

export const LEVEL_RULE = `- level: how unexpected it is for somebody who followed what went before. LOW: it follows from what
went before or is everyday talk ("Got it", "I see", "Makes sense"). HIGH: a significant pivot or revelation ("Wait, what?",
"That's different"). EXTREME: it changes the whole picture ("I had no idea", "That changes everything"). Most are LOW.`;

/** Judges how unexpected a segment is after the turns before it (requirements 4.13). */
export const judgeSurprisePrompt = prompt({
  step: 'judge-surprise',
  task: `Judge how unexpected a segment of a conversation is for somebody who followed what went before.
${LEVEL_RULE}`,
  reply: z.object({ level: z.enum(LEVELS) }),
  write: ({ before, segment, timeZone }, tokens) =>
    [
      fence(
        'before',
        before.length > 0 ? writeTurns(before, tokens / 2, { timeZone }) : '(nothing)',
      ),
      fence('segment', writeTurns(segment, tokens / 2, { first: before.length, timeZone })),
    ].join('\n'),
  read: ({ level }) => ({ surprise: SURPRISE_LEVELS[level] }),
});
