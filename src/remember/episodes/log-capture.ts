import type { Context } from '../../context.ts';
import type { CaptureDecision, CaptureRecord } from '../../domain/episodes/capture.ts';

/** What becomes of a segment: decided now, or, where a late turn got into it, as it was decided before. */
export type Verdict =
  | (CaptureDecision & { record: CaptureRecord })
  | { status: 'REVISED'; mergeInto: number | null };

/** Names of log lines, see docs/operations.md. */
export const LOG_NAMES = {
  CREATED: 'episodic.create',
  MERGED: 'episodic.merge',
  SKIPPED: 'episodic.skip',
  REVISED: 'episodic.revise',
} as const;

/** Tells the log and the metrics what became of a segment; at debug level also what the decision was made by. */
export function logCapture(
  { logger, metrics }: Context,
  userId: string,
  { episode, verdict, seconds }: { episode: number; verdict: Verdict; seconds: number },
): void {
  if (verdict.status === 'REVISED') {
    logger.info({ userId, episode }, LOG_NAMES.REVISED);
    return;
  }
  const { status, reason, scores, record, mergeInto } = verdict;
  metrics.episode(status, reason);
  metrics.notability(scores.notability);
  metrics.similarity('episode', scores.similarity);
  metrics.decided('episodic', seconds);
  logger.debug({ userId, episode, status, reason, ...rounded(record) }, 'episodic.decide');
  const into = mergeInto === null ? {} : { into: mergeInto };
  logger.info({ userId, episode, reason, ...into, ...rounded(scores) }, LOG_NAMES[status]);
}

const rounded = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
    ]),
  );
