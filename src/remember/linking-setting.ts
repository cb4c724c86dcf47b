import type { Context } from '../context.ts';
import { type LinkingSetting, SEED_WEIGHTS } from '../domain/linking.ts';

/** What linking goes by before anything was tuned. */
const usualSetting = (ctx: Context): LinkingSetting => ({
  threshold: ctx.config.linking.threshold,
  weights: SEED_WEIGHTS,
  hints: [],
});

/** What linking goes by for a user: their own setting, else the deployment's, else the usual one. */
export const linkingSetting = async (ctx: Context, userId: string): Promise<LinkingSetting> =>
  (await ctx.store.linkingSettings.read(ctx.db, userId)) ?? usualSetting(ctx);
