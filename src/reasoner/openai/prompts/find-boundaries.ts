import { z } from 'zod';
import { describeSegmentShapes, type StepOutput, SURPRISE_LEVELS } from '../../reasoner.ts';
import { DESCRIPTION_RULES } from './describe-segment.ts';
import { LEVEL_RULE, LEVELS } from './judge-surprise.ts';
import { fence, prompt, writeTurns } from './prompt.ts';

const segmentSchema = describeSegmentShapes.output.extend({
  first: z.int().min(0),
  confidence: z.number().min(0).max(1),
  level: z.enum(LEVELS),
});
type Parts = z.output<typeof segmentSchema>[];

export const partsSchema = z.object({ segments: z.array(segmentSchema).min(1) });

export const PARTS_TASK = `Cut a conversation where a turn opens a new topic or a new activity, and describe each part for somebody who will look for it later.
A turn opens a new topic when what is talked about changes (another subject, another request, another goal), not when one detail
follows another. Greetings, thanks and short replies belong to what they reply to. Phrases such as "by the way", "another thing"
and long pauses are hints. One part is fine.
For each part:
- first: the number of its first turn; the first part begins at 0. Ascending, each once.
- confidence: how sure you are that a new topic begins there (0 to 1; of the first part 1).
${LEVEL_RULE}
${DESCRIPTION_RULES}`;

/** Returns what is wrong with the beginnings of parts; empty if nothing is. */
export const checkParts = (segments: Parts, turns: readonly unknown[]): string[] =>
  segments.flatMap(({ first }, position) => {
    if (position === 0) return first === 0 ? [] : ['the first part does not begin at 0'];
    if (first >= turns.length) return [`there is no turn ${first}`];
    const before = segments[position - 1];
    return before && before.first >= first ? [`first ${first} does not ascend`] : [];
  });

export const readParts = (
  segments: Parts,
): Pick<StepOutput<'find-boundaries'>, 'boundaries' | 'segments'> => ({
  boundaries: segments.slice(1).map(({ first, confidence }) => ({ index: first, confidence })),
  segments: segments.map(({ first: _, confidence: __, level, ...description }) => ({
    ...description,
    surprise: SURPRISE_LEVELS[level],
  })),
});

/** Finds where new topics begin (requirements 4.5), and describes each part in the same request. */
export const findBoundariesPrompt = prompt({
  step: 'find-boundaries',
  task: PARTS_TASK,
  reply: partsSchema,
  write: ({ turns, timeZone }, tokens) => fence('turns', writeTurns(turns, tokens, { timeZone })),
  check: ({ segments }, { turns }) => checkParts(segments, turns),
  read: ({ segments }) => ({ ...readParts(segments), compaction: null }),
});
