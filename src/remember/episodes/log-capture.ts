import type { Needs } from '../../context.ts';
import type { CaptureDecision, CaptureRecord } from '../../domain/episodes/capture.ts';

/** The decision about a segment: made now, or, if a late turn was added to it, kept from before. */
export type Verdict =
  | (CaptureDecision & { record: CaptureRecord })
  | { status: 'REVISED'; mergeInto: number | null };

/** The names of log lines (see docs/operations.md). */
export const LOG_NAMES = {
  CREATED: 'episodic.create',
  MERGED: 'episodic.merge',
  SKIPPED: 'episodic.skip',
  REVISED: 'episodic.revise',
} as const;

/** Writes a decision about a segment to the log and the metrics; at debug level with everything it was based on. */
export function logCapture(
  { logger, metrics }: Needs<'logger' | 'metrics'>,
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
