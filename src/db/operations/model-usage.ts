import type { Database, Statement, Tx } from '../core/database.ts';

/** What requests to a model cost. */
export type UsageDraft = {
  step: string;
  model: string;
  calls: number;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
};

const ADD: Statement = {
  name: 'model-usage-add',
  text: `
INSERT INTO model_usage AS m (user_id, day, step, model, calls, prompt_tokens, cached_tokens, completion_tokens)
VALUES ($1, $2::date, $3, $4, $5, $6, $7, $8)
ON CONFLICT (user_id, day, step, model) DO UPDATE SET calls = m.calls + excluded.calls,
  prompt_tokens = m.prompt_tokens + excluded.prompt_tokens, cached_tokens = m.cached_tokens + excluded.cached_tokens,
  completion_tokens = m.completion_tokens + excluded.completion_tokens`,
};

/** Adds to what a user's day (UTC, "2026-03-02") cost. */
export const add = (tx: Tx, day: string, usage: UsageDraft): Promise<object[]> =>
  tx.query(ADD, [
    tx.userId,
    day,
    usage.step,
    usage.model,
    usage.calls,
    usage.promptTokens,
    usage.cachedTokens,
    usage.completionTokens,
  ]);

/** Nobody's: no user has an empty name. Stays when users are forgotten. */
const ALL = '';

/** Adds to what a day cost in all. */
export const addToTotal = (db: Database, day: string, usage: UsageDraft): Promise<object[]> =>
  db.system(ADD, [
    ALL,
    day,
    'all',
    'all',
    usage.calls,
    usage.promptTokens,
    usage.cachedTokens,
    usage.completionTokens,
  ]);

const SPENT: Statement = {
  name: 'model-usage-spent',
  text: `
SELECT coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS spent FROM model_usage
WHERE user_id = '${ALL}' AND day = $1::date`,
};

/** Tokens that a day (UTC) cost in all, forgotten users' too. */
export async function spent(db: Database, day: string): Promise<number> {
  return (await db.system<{ spent: number }>(SPENT, [day]))[0]?.spent ?? 0;
}
