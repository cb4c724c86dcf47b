import type { Context } from '../../context.ts';
import type { TuningRunRow } from '../../db/links/linking-settings.ts';
import { type LinkingSetting, NEUTRAL_WEIGHTS } from '../../domain/links/linking.ts';

/** What linking goes by before anything was tuned. */
const usualSetting = (ctx: Context): LinkingSetting => ({
  threshold: ctx.config.linking.threshold,
  weights: NEUTRAL_WEIGHTS,
  hints: [],
});

/** What linking goes by for a user: their own setting, else the deployment's, else the usual one. */
export const linkingSetting = async (ctx: Context, userId: string): Promise<LinkingSetting> =>
  (await ctx.deployment().linkingSettings.read(userId)) ?? usualSetting(ctx);

/** A change of what linking goes by, tried or made. */
export type TuningRun = TuningRunRow;

/** The changes of a user's own setting and of the deployment's, the latest first. */
export const tuningRuns = (ctx: Context, userId: string, most: number): Promise<TuningRun[]> =>
  ctx.deployment().linkingSettings.runs(userId, null, most);

/** One run of a scope: a user's, or the deployment's. */
export const tuningRun = async (
  ctx: Context,
  scope: string,
  number: number,
): Promise<TuningRun | null> =>
  (await ctx.deployment().linkingSettings.runs(scope, number, 1))[0] ?? null;
