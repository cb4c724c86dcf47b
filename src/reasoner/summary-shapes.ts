import { z } from 'zod';

/** What is stored is bounded, whoever made it. */
export const textUpTo = (most: number) => z.string().max(most);

/** The place of a turn among those that were given. */
export const index = z.int().min(0);

/** What came of a stretch of talk (requirements 6.3). */
const OUTCOMES = ['TOOL_RESULT', 'DECISION', 'NEXT_STEP', 'MILESTONE'] as const;

const headingSchema = z.object({
  title: textUpTo(200).min(1).nullable().describe('5 to 15 words; null if nothing is named'),
  topic: textUpTo(300)
    .min(1)
    .nullable()
    .describe('what was discussed, a noun phrase; null if nothing'),
  approach: textUpTo(500).describe('how it was dealt with, one clause; empty if it was not'),
});

/** The description of a segment. */
export const descriptionSchema = headingSchema.extend({
  summary: textUpTo(1_000)
    .min(1)
    .nullable()
    .describe('third person, at most 50 words; null if nothing was said but pleasantries'),
  outcomes: z
    .array(z.object({ kind: z.enum(OUTCOMES), evidence: textUpTo(1_000) }))
    .max(50)
    .describe('what came of it, each with the words that show it'),
});

/** The summaries of a whole thread. */
export const compactionSchema = z.object({
  micro: textUpTo(1_500).min(1).nullable().describe('1 to 3 sentences; null if nothing was said'),
  meso: textUpTo(6_000).min(1).nullable().describe('a paragraph; null if nothing was said'),
  macro: textUpTo(6_000).describe(
    'patterns that outlast the conversation; empty if there are none',
  ),
  /** Null: `describeSegment` makes it. */
  heading: headingSchema.nullable().default(null),
  skills: z.array(
    z.object({
      name: textUpTo(100).min(1).describe('2 to 6 words'),
      description: textUpTo(1_000).min(1).describe('when to use it and how, one or two sentences'),
      evidence: z.array(index).describe('the turns that show it'),
    }),
  ),
});
