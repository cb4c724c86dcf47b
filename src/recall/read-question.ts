import { z } from 'zod';
import type { Needs } from '../context.ts';
import { MEMORY_KINDS } from '../domain/core/memory-kind.ts';
import { parse } from '../domain/core/parse.ts';
import { FACT_CATEGORIES } from '../domain/facts/fact.ts';
import { factTime } from '../domain/facts/fact-time.ts';
import type { Intent } from '../domain/ranking/memory-ranking.ts';
import type { QuestionReading } from '../domain/ranking/question.ts';
import { channelSchema, nameSchema } from '../domain/turns/turn.ts';
import { type MadeVector, queryVector } from './query-vector.ts';

/** Allows for rounding by the caller. Much longer vectors would not fit into a halfvec. */
const isUnit = (values: number[]) => {
  // `Math.hypot` throws for more than some 100,000 arguments.
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  return Math.abs(Math.sqrt(squares) - 1) < 0.01;
};

/** How many turns are shown with an episode (requirements 12.11). */
export const DETAILS = ['AUTO', 'NONE', 'LOW', 'HIGH'] as const;
export type Detail = (typeof DETAILS)[number];

const orNull = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? null);

const fieldsSchema = z.object({
  query: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(10_000, 'must be at most 10,000 characters'),
  first: z.int().min(1, 'must be at least 1').max(100, 'must be at most 100').nullish(),
  neighbours: z
    .int()
    .min(0, 'must not be negative')
    .max(5, 'must be at most 5')
    .nullish()
    .transform((n) => n ?? 0),
  kinds: z
    .array(z.enum(MEMORY_KINDS))
    .nullish()
    .transform((kinds) => kinds ?? MEMORY_KINDS),
  categories: orNull(z.array(z.enum(FACT_CATEGORIES))),
  factsOnly: z
    .boolean()
    .nullish()
    .transform((only) => only ?? false),
  recallIntent: orNull(z.boolean()),
  detail: z
    .enum(DETAILS)
    .nullish()
    .transform((detail) => detail ?? 'AUTO'),
  maxTokens: orNull(
    z.int().min(50, 'must be at least 50').max(1_000_000, 'must be at most 1,000,000'),
  ),
  asOf: orNull(z.date()),
  from: orNull(z.date()),
  to: orNull(z.date()),
  channels: orNull(z.array(channelSchema).max(50, 'must be at most 50')),
  speakers: orNull(z.array(nameSchema).max(50, 'must be at most 50')),
  vector: orNull(
    z.object({
      embedder: z.string().min(1).max(200),
      values: z.array(z.number()).refine(isUnit, 'must have length 1'),
    }),
  ),
});

const questionSchema = fieldsSchema.refine(({ from, to }) => !(from && to) || from < to, {
  path: ['to'],
  message: 'must be later than `from`',
});

/** The scope of a recall. */
export type Scope = {
  /** Restricts the recall to these threads; null = all. */
  threadIds: readonly number[] | null;
  /** The query is a message of the conversation, not a question to the memory. */
  isMessage: boolean;
  /** Every candidate is read and scored, also one that cannot be among the hits. */
  ranksAll?: boolean;
};

export type Question = z.output<typeof questionSchema> &
  Scope & {
    /** Its vector, which is made while the query is read; null if that waits until it is known to be needed. */
    early: Promise<MadeVector> | null;
    /** The rules' reading of the query. */
    reading: QuestionReading;
    intent: Intent;
    /** The time of the question: `asOf`, or now. */
    now: Date;
    /** The time at which facts must be true. */
    factsAt: Date;
  };

/** Whether a vector costs so little that it may be made in vain. */
const isCheap = ({ config }: Needs<'config'>): boolean => config.embedder === 'built-in';

/**
 * Recall's first stage: validates the input and reads its query.
 * @throws InvalidInput with every problem
 */
export async function readQuestion(
  ctx: Needs<'rules' | 'clock' | 'config' | 'embedder' | 'logger' | 'tracing'>,
  userId: string,
  { input, threadIds, isMessage, ranksAll = false }: Scope & { input: unknown },
): Promise<Question> {
  const parsed = parse(questionSchema, input, 'input');
  const isEarly = isCheap(ctx) && !parsed.vector && !parsed.factsOnly;
  const early = isEarly ? queryVector(ctx, userId, parsed) : null;
  const reading = await ctx.rules.readQuestion(parsed.query, { userId });
  const intent = (parsed.recallIntent ?? reading.asksForEarlierTalk) ? 'RECALL' : 'ORDINARY';
  const scope = { threadIds, isMessage, ranksAll };
  const now = parsed.asOf ?? ctx.clock();
  const factsAt = parsed.asOf ?? factTime(now);
  return { ...parsed, ...scope, early, reading, intent, now, factsAt };
}
