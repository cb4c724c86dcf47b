import { compactShapes, type StepOutput } from '../../reasoner.ts';
import { checkEvidence, DETAIL_RULES } from './compact.ts';
import {
  checkParts,
  findBoundariesPrompt,
  PARTS_TASK,
  partsSchema,
  readParts,
} from './find-boundaries.ts';
import { prompt } from './prompt.ts';

/**
 * Finds where new topics begin in a whole thread that is over. If there are none, the same request compacts the thread: the
 * summary of its only part is the micro summary.
 */
export const readThreadPrompt = prompt({
  step: 'find-boundaries',
  task: `${PARTS_TASK}
Then the conversation as a whole. One or two turns are one part.
- whole: null if there are several parts. If there is one part, what the whole comes to, told like the summary:
${DETAIL_RULES.replaceAll(/^/gm, '  ')}`,
  reply: partsSchema.extend({
    whole: compactShapes.output
      .pick({ meso: true, macro: true, skills: true })
      .nullable()
      .default(null),
  }),
  write: findBoundariesPrompt.write,
  check: ({ segments, whole }, { turns }) => [
    ...checkParts(segments, turns),
    ...(segments.length === 1 ? checkEvidence(whole?.skills ?? [], turns) : []),
  ],
  read: ({ segments, whole }) => {
    const parts = readParts(segments);
    return { ...parts, compaction: compactionOf(parts.segments, whole) };
  },
});

type Compaction = NonNullable<StepOutput<'find-boundaries'>['compaction']>;

function compactionOf(
  [part, ...others]: StepOutput<'find-boundaries'>['segments'],
  whole: Pick<Compaction, 'meso' | 'macro' | 'skills'> | null,
): Compaction | null {
  if (!whole || !part || others.length > 0) return null;
  const { title, topic, approach, summary: micro } = part;
  return { micro, ...whole, heading: { title, topic, approach } };
}
