import type { Context } from '../../context.ts';
import type { TuningRunRow } from '../../db/links/linking-settings.ts';
import { type LinkingSetting, NEUTRAL_WEIGHTS } from '../../domain/links/linking.ts';

/** The setting in force before any tuning. */
const neutralSetting = (ctx: Context): LinkingSetting => ({
  threshold: ctx.config.linking.threshold,
  weights: NEUTRAL_WEIGHTS,
  hints: [],
});

/** The linking setting in force for a user: their own, else the deployment's, else the neutral setting. */
export const linkingSetting = async (ctx: Context, userId: string): Promise<LinkingSetting> =>
  (await ctx.deployment().linkingSettings.read(userId)) ?? neutralSetting(ctx);

/** A tuning run or a rollback of a linking setting. */
export type TuningRun = TuningRunRow;

/** The runs of a user's own setting and of the deployment's, the latest first. */
export const tuningRuns = (ctx: Context, userId: string, most: number): Promise<TuningRun[]> =>
  ctx.deployment().linkingSettings.runs(userId, null, most);

/** One run of a scope: a user's, or the deployment's. */
export const tuningRun = async (
  ctx: Context,
  scope: string,
  number: number,
): Promise<TuningRun | null> =>
  (await ctx.deployment().linkingSettings.runs(scope, number, 1))[0] ?? null;
