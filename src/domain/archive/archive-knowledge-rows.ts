import { z } from 'zod';
import { GENERATORS } from '../core/reasoning.ts';
import { FACT_CATEGORIES, FACT_ORIGINS, POLARITIES } from '../facts/fact.ts';
import { LINK_SIGNS } from '../links/link-outcome.ts';
import { LINKING_PARTS } from '../links/linking.ts';
import { LINKING_SIGNALS } from '../links/linking-signal.ts';
import { at, count, flag, id, number, text } from './archive-values.ts';

const generatedBy = z.enum(GENERATORS);
const origin = z.enum(FACT_ORIGINS);
const weights = z.record(z.enum(LINKING_PARTS), number);
/** A closed list: what a reasoner is told. */
const hints = z.array(z.enum(LINKING_SIGNALS));
const setting = z.strictObject({ threshold: number, weights, hints });

export const semanticMemory = z.strictObject({
  id,
  summary: text.nullable(),
  generated_by: generatedBy,
  model: text,
  context_ids: z.array(id).nullable(),
  started_at: at,
  ended_at: at,
  episode_count: count,
  turn_count: count,
  recorded_at: at,
  stale_at: at.nullable(),
});

export const profile = z.strictObject({
  version: id,
  communication: text,
  technical: text,
  work_pattern: text,
  personal_context: text,
  prose: text,
  source_semantic_ids: z.array(id).nullable(),
  /** Archives of earlier versions do not have it. */
  source_fact_ids: z.array(id).nullable().default([]),
  generated_by: generatedBy,
  model: text,
  recorded_at: at,
  stale_at: at.nullable(),
});

export const fact = z.strictObject({
  id,
  category: z.enum(FACT_CATEGORIES),
  key: text.nullable(),
  active_key: text.nullable(),
  value: text,
  statement: text,
  polarity: z.enum(POLARITIES),
  scope: text.nullable(),
  confidence: number,
  importance: number,
  pinned: flag,
  origin,
  model: text.nullable(),
  valid_from: at,
  valid_to: at.nullable(),
  recorded_at: at,
  retracted_at: at.nullable(),
  superseded_by_id: id.nullable(),
  mentions: count,
  last_verified_at: at,
  last_accessed_at: at.nullable(),
  updated_at: at,
});

export const factVersion = z.strictObject({
  fact_id: id,
  number: id,
  change: z.enum(['RECORDED', 'CLOSED', 'EXTENDED', 'RETRACTED', 'RESTORED']),
  valid_from: at.nullable(),
  valid_to: at.nullable(),
  recorded_at: at,
  superseded_at: at.nullable(),
});

/** Archives of earlier versions hold nothing but the numbers. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

export const factSource = z.strictObject({
  fact_id: id,
  turn_id: id,
  key: maybe(text),
  value: maybe(text),
  statement: maybe(text),
  scope: maybe(text),
  confidence: maybe(number),
  importance: maybe(number),
  origin: maybe(origin),
  model: maybe(text),
});

export const factRefusal = z.strictObject({
  turn_id: id,
  number: count,
  category: z.enum(FACT_CATEGORIES),
  key: text.nullable(),
  value: text,
  statement: text,
  polarity: z.enum(POLARITIES),
  confidence: number,
  importance: number,
  reason: text,
  by_fact_id: id.nullable(),
  at,
  recorded_at: at,
});

export const link = z.strictObject({
  id,
  thread_id: id,
  earlier_thread_id: id,
  turns: count,
  keyword: number.nullable(),
  entity: number.nullable(),
  topic: number.nullable(),
  recency: number.nullable(),
  algorithmic_score: number,
  algorithmic_related: flag,
  algorithmic_confidence: number,
  reasoner_related: flag,
  reasoner_confidence: number,
  reasoning: text.nullable(),
  key_signals: z.array(text).nullable(),
  generated_by: generatedBy,
  model: text,
  threshold: number,
  weights,
  verdict: z.enum(['LINK', 'DONT_LINK']),
  certainty: z.enum(['HIGH', 'UNCERTAIN']),
  fused_score: number,
  joins: flag,
  outcome: z.enum(['UNKNOWN', 'CORRECT', 'INCORRECT']),
  sign: z.enum(LINK_SIGNS).nullable(),
  rated_at: at.nullable(),
  watched_through: count.nullable(),
  decided_at: at,
});

export const linkingSetting = z.strictObject({
  threshold: number,
  weights,
  hints,
  updated_at: at,
});

export const tuningRun = z.strictObject({
  number: id,
  kind: z.enum(['TUNED', 'ROLLED_BACK']),
  kept: flag,
  reason: text,
  decisions: count,
  previous: setting,
  next: setting,
  metrics: z.json(),
  thresholds: z.json(),
  disagreements: z.json(),
  at,
});
