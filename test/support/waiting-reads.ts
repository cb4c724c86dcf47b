import type { App } from '../../src/app.ts';

/** Replaces the reads of a user's memory by ones that, with their result, wait for something. */
export const waitingReads =
  (wait: () => Promise<void>) =>
  (ctx: App): App => ({
    ...ctx,
    db: {
      ...ctx.db,
      asUser: async (...args) => {
        const result = await ctx.db.asUser(...args);
        await wait();
        return result;
      },
    },
  });
