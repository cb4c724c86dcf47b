import { z } from 'zod';
import { ROLES } from '../../src/shared/role.ts';

export const DECISIONS = ['CREATE', 'MERGE', 'SKIP'] as const;
export type Decision = (typeof DECISIONS)[number];

const turnSchema = z.object({
  role: z.enum(ROLES),
  speaker: z.string().nullish(),
  text: z.string(),
  occurredAt: z.string(),
  toolCalls: z
    .array(z.object({ name: z.string(), ok: z.boolean(), result: z.string().nullish() }))
    .nullish(),
});

const conversationSchema = z.object({
  id: z.string(),
  turns: z.array(turnSchema).min(1),
  /** The right decision on its last segment. */
  decision: z.enum(DECISIONS),
});
export type LabelledCapture = z.output<typeof conversationSchema>;

/** Reads labelled conversations from JSON lines. @throws ZodError if a line has another shape */
export const parseCaptures = (text: string): LabelledCapture[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => conversationSchema.parse(JSON.parse(line)));

const DECIDED = { CREATED: 'CREATE', MERGED: 'MERGE', SKIPPED: 'SKIP' } as const;

/** Returns the decision that a capture status stands for. @throws if it is not decided yet */
export function decisionOf(status: string): Decision {
  const decision = DECIDED[status as keyof typeof DECIDED];
  if (!decision) throw new Error(`A segment is still ${status}.`);
  return decision;
}

/** Returns the share of right decisions, how each label was decided, and the conversations with a wrong decision. */
export function scoreCaptures(
  results: readonly { id: string; labelled: Decision; decided: Decision }[],
) {
  const wrong = results.filter(({ labelled, decided }) => labelled !== decided);
  const byDecision = Object.fromEntries(
    DECISIONS.map((labelled) => {
      const group = results.filter((result) => result.labelled === labelled);
      const count = (decided: Decision) => group.filter((one) => one.decided === decided).length;
      return [labelled, { CREATE: count('CREATE'), MERGE: count('MERGE'), SKIP: count('SKIP') }];
    }),
  ) as Record<Decision, Record<Decision, number>>;
  return {
    accuracy: results.length === 0 ? 1 : 1 - wrong.length / results.length,
    byDecision,
    wrong: wrong.map(({ id }) => id),
  };
}
