import { ModelUnavailable } from '../../domain/core/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { DAY } from '../../shared/duration.ts';
import type { Database } from '../core/database.ts';
import * as modelUsage from './model-usage.ts';

type MeterServices = { db: Database; metrics: Metrics; logger: Logger; clock: () => Date };

/** Counts what models cost, by user and day (UTC), and holds background work to the day's tokens. */
export function createMeter(
  { db, metrics, logger, clock }: MeterServices,
  dailyTokens: number | null,
) {
  const today = () => clock().toISOString().slice(0, 10);
  const note = async (userId: string | null, usage: modelUsage.UsageDraft): Promise<void> => {
    const { step, model, promptTokens, cachedTokens, completionTokens } = usage;
    const tokens = { prompt: promptTokens, cached: cachedTokens, completion: completionTokens };
    metrics.modelTokens(step, model, tokens);
    await modelUsage.addToTotal(db, today(), usage);
    if (userId === null) return;
    await db.asUser(userId, (tx) => modelUsage.add(tx, today(), usage));
  };
  return {
    /** @throws ModelUnavailable when the day's tokens are spent */
    async admit(): Promise<void> {
      if (dailyTokens === null) return;
      const day = today();
      if ((await modelUsage.spent(db, day)) < dailyTokens) return;
      throw new ModelUnavailable(
        `The day's ${dailyTokens} tokens (MODEL_DAILY_TOKENS) are spent.`,
        new Date(Date.parse(day) + DAY),
      );
    },
    /** What was done is paid for: it is not lost because of the bookkeeping. */
    async record(userId: string | null, usage: modelUsage.UsageDraft): Promise<void> {
      try {
        await note(userId, usage);
      } catch (error) {
        logger.warn({ err: error, userId, usage }, 'model.record_failed');
      }
    },
  };
}
