import type { App } from './app.ts';
import { type Server, startServer } from './http/server.ts';
import { startWorker } from './jobs/worker.ts';

/** When to load what only later requests need, in milliseconds: not beside the first ones, for which somebody waits. */
const REST_AFTER = 2_000;

/**
 * Serves an app and does its background work. Disposing answers the requests that are running, and closes the app: the
 * worker stops at the same time, so that it starts no step and releases its leases meanwhile.
 */
export async function serveApp(ctx: App): Promise<Server> {
  try {
    await ctx.warm();
    const worker = ctx.config.workers > 0 ? await startWorker(ctx) : null;
    const server = await startServer(ctx);
    ctx.recordAddress(server.url);
    const rest = setTimeout(() => void ctx.warmRest(), REST_AFTER).unref();
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        clearTimeout(rest);
        ctx.stopping.abort();
        await Promise.all([server[Symbol.asyncDispose](), worker?.[Symbol.asyncDispose]()]);
        await ctx[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await ctx[Symbol.asyncDispose]();
    throw error;
  }
}
