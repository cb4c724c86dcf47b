import { z } from 'zod';
import { parse } from '../domain/parse.ts';
import { channelSchema, nameSchema } from '../domain/turn.ts';

/** To a hundredth: the caller may have rounded. Larger numbers have no place in a halfvec. */
const isUnit = (values: number[]) => Math.abs(Math.hypot(...values) - 1) < 0.01;

const questionSchema = z.object({
  query: z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(10_000, 'must be at most 10,000 characters'),
  first: z
    .int()
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .nullish()
    .transform((n) => n ?? 10),
  neighbours: z
    .int()
    .min(0, 'must not be negative')
    .max(5, 'must be at most 5')
    .nullish()
    .transform((n) => n ?? 0),
  asOf: z
    .date()
    .nullish()
    .transform((at) => at ?? null),
  from: z.date().nullish(),
  to: z.date().nullish(),
  channels: z.array(channelSchema).max(50, 'must be at most 50').nullish(),
  speakers: z.array(nameSchema).max(50, 'must be at most 50').nullish(),
  vector: z
    .object({
      embedder: z.string().min(1).max(200),
      values: z.array(z.number()).refine(isUnit, 'must have length 1'),
    })
    .nullish()
    .transform((vector) => vector ?? null),
});

export type Question = z.output<typeof questionSchema>;

/** Checks a recall's input. @throws InvalidInput with every problem */
export const readQuestion = (input: unknown): Question => parse(questionSchema, input);
