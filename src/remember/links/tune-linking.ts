import type { Context } from '../../context.ts';
import type { TuningRunDraft as Run, TuningRunRow } from '../../db/links/linking-settings.ts';
import { DEPLOYMENT } from '../../domain/core/deployment.ts';
import { NotFound } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import type { LinkingSetting } from '../../domain/links/linking.ts';
import { metricsUnder, tuneLinking } from '../../domain/links/tuning.ts';
import { linkingSetting } from './linking-setting.ts';

/** How many rated decisions are used, the newest first. */
const NEWEST = 2_000;

/**
 * Tunes the linking settings (requirements 11.12) once enough decisions were rated since the last tuning: the user's own, if
 * there is one, and the deployment's.
 */
export async function tuneWhenDue(ctx: Context, userId: string): Promise<StepOutcome> {
  const { tuneEvery } = ctx.config.linking;
  const current = await ctx.deployment().linkingSettings.read(userId);
  const scopes = current?.scope === userId ? [userId, DEPLOYMENT] : [DEPLOYMENT];
  for (const scope of scopes) {
    const fresh = await ctx.deployment().linkingSettings.freshlyRated(scope, tuneEvery);
    if (fresh >= tuneEvery) await tune(ctx, userId, scope);
  }
  return 'done';
}

/**
 * Tunes a scope's setting now.
 * @param userId the user whose event log records the run
 * @param scope a user's id, or DEPLOYMENT
 * @returns the number of the run, or of the one that another process has stored meanwhile
 */
export async function tune(ctx: Context, userId: string, scope: string): Promise<number> {
  const last = await ctx.deployment().linkingSettings.lastRun(scope);
  const current = await settingOf(ctx, scope);
  const decisions = await ctx.deployment().linkingSettings.rated(scope, NEWEST);
  const isShared = scope === DEPLOYMENT && (await ctx.deployment().linkingSettings.isShared());
  // In the order of time, because neighbours may be similar and each fold takes every fifth decision.
  const { before, after, next, ...found } = tuneLinking(decisions.reverse(), current, isShared);
  const run: Run = {
    ...found,
    kind: 'TUNED',
    decisions: decisions.length,
    previous: current,
    next,
    metrics: { before, after },
  };
  const number = last + 1;
  await storeRun(ctx, userId, { scope, number, run });
  return number;
}

/**
 * Puts the setting from before a run in force again.
 * @returns the number of the new run
 * @throws NotFound
 */
export async function rollBack(
  ctx: Context,
  userId: string,
  { scope, number }: { scope: string; number: number },
): Promise<number> {
  const [run] = await ctx.deployment().linkingSettings.runs(scope, number, 1);
  if (!run) throw new NotFound('tuning run');
  for (;;) {
    const draft = await rollbackOf(ctx, scope, run);
    if (await storeRun(ctx, userId, draft)) return draft.number;
  }
}

/** The run that puts the setting from before another one in force, under the next number. */
async function rollbackOf(ctx: Context, scope: string, run: TuningRunRow): Promise<NumberedRun> {
  const last = await ctx.deployment().linkingSettings.lastRun(scope);
  const current = await settingOf(ctx, scope);
  const decisions = await ctx.deployment().linkingSettings.rated(scope, NEWEST);
  const next = run.previous;
  const metrics = {
    before: metricsUnder(decisions, current),
    after: metricsUnder(decisions, next),
  };
  const { thresholds, disagreements } = tuneLinking(decisions, current);
  return {
    scope,
    number: last + 1,
    run: {
      kind: 'ROLLED_BACK',
      kept: true,
      reason: `Rolled back to the setting before run ${run.number}.`,
      decisions: decisions.length,
      previous: current,
      next,
      metrics,
      thresholds,
      disagreements,
    },
  };
}

/** The setting in force, without its scope. */
async function settingOf(ctx: Context, scope: string): Promise<LinkingSetting> {
  const { threshold, weights, hints } = await linkingSetting(ctx, scope);
  return { threshold, weights, hints };
}

type NumberedRun = { scope: string; number: number; run: Run };

/** @returns false if another process has just stored a run under this number */
async function storeRun(
  ctx: Context,
  userId: string,
  { scope, number, run }: NumberedRun,
): Promise<boolean> {
  const now = ctx.clock();
  if (!(await ctx.deployment().linkingSettings.save(scope, number, run, now))) return false;
  const { previous, next, kept, metrics } = run;
  const change = kept
    ? `threshold ${previous.threshold} to ${next.threshold}`
    : `threshold ${previous.threshold} stays`;
  const whose = scope === DEPLOYMENT ? 'of the deployment' : 'of the user';
  const f1 = `F1 ${metrics.before.f1.toFixed(3)} to ${metrics.after.f1.toFixed(3)}`;
  const decision = `linking.tune ${whose} (${change}; ${f1}; ${run.decisions} decisions)`;
  await ctx
    .memory(userId)
    .write(async (memory) => memory.record({ kind: 'LINKING_TUNED', decision }));
  ctx.publisher.publishProgress(scope === DEPLOYMENT ? null : scope, {
    of: 'linking',
    stage: 'TUNING',
    tuning: { scope, number },
  });
  ctx.logger.info({ scope, number, kept, threshold: next.threshold }, 'linking.tune');
  return true;
}
