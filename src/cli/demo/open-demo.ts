import { createMemory, type Memory } from '@mnemograph/client';
import { type App, createApp } from '../../app.ts';
import { loadConfig } from '../../config/config.ts';
import { startServer } from '../../http/server.ts';
import { drainJobs } from '../../jobs/worker.ts';
import type { MovedClock } from './live-through.ts';

/** A server whose database is in memory only, with a clock that can be moved. */
export type Demo = AsyncDisposable & {
  ctx: App;
  /** The address of the graph. */
  url: string;
  /** The address of the console. */
  console: string;
  memory: Memory;
  clock: MovedClock & {
    /** Lets the clock show the present from now on. */
    toPresent(): void;
  };
};

/** Starts the server of the demo. Its background work is done when the clock rests. */
export async function openDemo(port: number): Promise<Demo> {
  let moved: Date | null = new Date(0);
  const config = loadConfig({ DATA_DIR: 'memory', PORT: String(port), LOG_LEVEL: 'warn' });
  const ctx = await createApp(config, { clock: () => moved ?? new Date() });
  const server = await startServer(ctx).catch(async (error) => {
    await ctx[Symbol.asyncDispose]();
    throw error;
  });
  return {
    ctx,
    url: server.url,
    console: new URL('console/', server.url).href,
    memory: createMemory({ url: server.url }),
    clock: {
      at: (time) => {
        if (moved && time > moved) moved = time;
      },
      rest: () => drainJobs(ctx),
      toPresent: () => {
        moved = null;
      },
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await ctx[Symbol.asyncDispose]();
    },
  };
}
