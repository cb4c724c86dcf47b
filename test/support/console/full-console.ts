import type { Browser } from 'playwright-core';
import { fullMemory } from '../samples/full-memory.ts';
import { serve } from '../server.ts';
import { userToken } from '../world.ts';
import { openConsole } from './console.ts';

/** Serves a memory with everything in it, that of Alex, and opens screens of its console. */
export async function serveFullMemory(browser: () => Browser) {
  const { world, ...memory } = await fullMemory();
  const { ctx } = world;
  const config = { ...ctx.config, server: { ...ctx.config.server, port: 0 } };
  const served = await serve({ ...ctx, config });
  const secret = await userToken('alex');
  return {
    ...memory,
    world,
    /** A token of Alex. */
    secret,
    open: (at: string, options: object = {}) =>
      openConsole(browser(), served.origin, { at, secret, ...options }),
    async [Symbol.asyncDispose]() {
      await served.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}
