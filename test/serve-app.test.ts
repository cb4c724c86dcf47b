import { afterEach, expect, it, vi } from 'vitest';
import { serveApp } from '../src/serve-app.ts';
import { createWorld } from './support/world.ts';

afterEach(() => void vi.useRealTimers());

/** Serves a world without background work, and counts how often the rest is loaded. */
async function served() {
  const world = await createWorld({ EMBEDDER: 'none', PORT: '0', WORKERS: '0' });
  const warmRest = vi.fn(async () => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const nothing = async () => {};
  const server = await serveApp({
    ...world.ctx,
    warm: nothing,
    warmRest,
    [Symbol.asyncDispose]: nothing,
  });
  return { world, server, warmRest };
}

it('what only later requests need is loaded two seconds after the server answers', async () => {
  const { world, server, warmRest } = await served();
  expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);
  expect(warmRest).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(warmRest).toHaveBeenCalledOnce();
  vi.useRealTimers();
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

it('a server that stops before loads nothing more', async () => {
  const { world, server, warmRest } = await served();
  const stopping = server[Symbol.asyncDispose]();
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await stopping;
  expect(warmRest).not.toHaveBeenCalled();
  await world[Symbol.asyncDispose]();
});
