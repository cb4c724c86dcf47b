import { z } from 'zod';

/** The categories of facts (requirements 9.2). */
export const FACT_CATEGORIES = [
  'IDENTITY',
  'PREFERENCE',
  'CONSTRAINT',
  'INSTRUCTION',
  'INTEREST',
  'PERSONALITY',
  'RELATIONSHIP',
  'EXPERIENCE',
  'GOAL',
] as const;
export type FactCategory = (typeof FACT_CATEGORIES)[number];

/** How many turns before one that is read for facts are shown with it, as context: who "she" is, and what was asked. */
export const CONTEXT_TURNS = 12;
/** How many new turns, of any threads, are read for facts at once. */
export const TURNS_AT_ONCE = 40;

/** A denial is a fact too: "I don't use X". */
export const POLARITIES = ['POSITIVE', 'NEGATIVE'] as const;

/** What found a fact. */
export const FACT_ORIGINS = ['PATTERN', 'EXTRACTIVE', 'NOTE', 'MODEL', 'HAND'] as const;
export type FactOrigin = (typeof FACT_ORIGINS)[number];

/** What a candidate does to the stored facts; with an unknown `factId` it is NEW. */
const FACT_ACTIONS = ['NEW', 'REINFORCE', 'UPDATE', 'INVALIDATE'] as const;

const share = z.number().min(0).max(1);

/** A fact found in a turn, before it is reconciled with the stored facts. */
export const candidateFactSchema = z.object({
  action: z.enum(FACT_ACTIONS),
  /** The stored fact that it reinforces, updates or invalidates. */
  factId: z.string().nullable(),
  category: z.enum(FACT_CATEGORIES),
  /** Canonical, such as `profile:pet:luna:age`; null if the entity is not known. */
  key: z.string().min(1).max(200).nullable(),
  value: z
    .string()
    .min(1)
    .max(500)
    .describe('in the words of the turn, without the sentence around it'),
  statement: z.string().min(1).max(1000).describe('one sentence in the third person'),
  polarity: z.enum(POLARITIES),
  /** Where or when it is true, such as "at work"; null = always. */
  scope: z.string().nullable(),
  confidence: share,
  importance: share,
  /** It corrects an earlier statement or reports a change, so it may supersede a more confident value. */
  isCorrection: z.boolean(),
  /** The index of the turn that it comes from. */
  turn: z.int().min(0),
});
export type CandidateFact = z.output<typeof candidateFactSchema>;

/** A candidate as a reasoner returns it. */
export const learnedFactSchema = candidateFactSchema.extend({
  /** The statement is a sentence of the user, word for word. */
  isNote: z.literal(true).optional(),
});
export type LearnedFact = z.output<typeof learnedFactSchema>;

/** A fact on record, as context for the next extraction. */
export const storedFactSchema = z.object({
  id: z.string(),
  category: z.enum(FACT_CATEGORIES),
  key: z.string().nullable(),
  value: z.string(),
  statement: z.string(),
  polarity: z.enum(POLARITIES),
});
export type StoredFact = z.output<typeof storedFactSchema>;

/** The number of a stored fact; null if a candidate names none, or a draft. */
export const storedIdOf = (factId: string | null): number | null =>
  factId !== null && /^\d+$/.test(factId) ? Number(factId) : null;
