import { z } from 'zod';
import { at, count, flag, id, number, text } from '../../../domain/archive/archive-values.ts';
import { FACT_CATEGORIES, FACT_ORIGINS, POLARITIES } from '../../../domain/facts/fact.ts';
import { type Archive, lastOf } from '../kind.ts';

const origin = z.enum(FACT_ORIGINS);

const fact = z.strictObject({
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

const factVersion = z.strictObject({
  fact_id: id,
  number: id,
  change: z.enum(['RECORDED', 'CLOSED', 'EXTENDED', 'RETRACTED', 'RESTORED']),
  valid_from: at.nullable(),
  valid_to: at.nullable(),
  recorded_at: at,
  superseded_at: at.nullable(),
});

/** Columns that older archives lack. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

const factSource = z.strictObject({
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

const factRefusal = z.strictObject({
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

export const archive: Archive = {
  rows: [
    { type: 'fact', table: 'facts', key: ['id'], row: fact },
    { type: 'fact_version', table: 'fact_versions', key: ['fact_id', 'number'], row: factVersion },
    { type: 'fact_source', table: 'fact_sources', key: ['fact_id', 'turn_id'], row: factSource },
    { type: 'fact_refusal', table: 'fact_refusals', key: ['turn_id', 'number'], row: factRefusal },
  ],
  numbers: { last_fact: lastOf('last_fact', 'facts') },
};
