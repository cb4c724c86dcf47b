import type { KnownFact } from '../db/facts/recalled.ts';
import type { Intent } from '../domain/ranking/memory-ranking.ts';
import type { Hit } from './assemble.ts';
import type { LeftOut } from './budget.ts';
import type { Candidates } from './find-candidates.ts';
import type { VectorUse } from './query-vector.ts';
import type { RecallRange } from './time-range.ts';

/** The answer to a question. */
export type Recall = {
  /** The known facts. */
  facts: KnownFact[];
  hits: Hit[];
  /** The period that was searched; null = all time. */
  range: RecallRange | null;
  intent: Intent;
  /** The query sounds like a continuation of earlier talk. */
  continues: boolean;
  /** The terms of the query. */
  terms: readonly string[];
  vectors: VectorUse;
  asOf: Date;
  leftOut: LeftOut;
};

/** The answer before it is fitted to a token budget. */
export function recallOf({ known, range, vectors, search }: Candidates, hits: Hit[]): Recall {
  const { intent, now, reading } = search.question;
  return {
    facts: known.facts,
    hits,
    range,
    intent,
    continues: reading.continues,
    terms: reading.ranking.terms,
    vectors,
    asOf: now,
    leftOut: { facts: known.all - known.facts.length, hits: 0, details: 0 },
  };
}
