import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ModelUnavailable } from '../../src/domain/core/errors.ts';
import { embedAll, openEmbedder } from '../support/models/model-embedder.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';

let server: ModelServer;
let release: (() => void)[];
beforeAll(async () => {
  server = await startModelServer(async (request) => {
    await new Promise<void>((resolve) => release.push(resolve));
    return embedAll()(request);
  });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.requests.length = 0;
  release = [];
});

const inputs = () => server.requests.flatMap(({ body }) => body.input ?? []);
/** What precedes the line waits for nothing: after a turn of the event loop a text is in it. */
const inLine = () => setImmediate();
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error) => error);

it('the queue of queries is bounded, and further queries are rejected at once', async () => {
  const embedder = openEmbedder(server, {}, { concurrency: 1 });
  const errors: unknown[] = [];
  const asked = Array.from({ length: 30 }, (_, n) =>
    embedder.embed([`query ${n}`], { priority: 'query' }).catch((error) => errors.push(error)),
  );
  await expect.poll(() => errors.length).toBe(30 - 1 - 8);
  for (const error of errors) expect(error).toBeInstanceOf(ModelUnavailable);
  const letOut = setInterval(() => release.splice(0).forEach((end) => void end()), 5);
  await Promise.all(asked);
  clearInterval(letOut);
  expect(inputs()).toHaveLength(9);
});

it('a query that is aborted while it waits is not sent, and the others are', async () => {
  const embedder = openEmbedder(server, {}, { concurrency: 1 });
  const caller = new AbortController();
  const first = embedder.embed(['first'], { priority: 'query' });
  await expect.poll(inputs).toEqual(['first']);
  const left = ['left 1', 'left 2'].map((text) =>
    failure(embedder.embed([text], { priority: 'query', signal: caller.signal })),
  );
  const last = embedder.embed(['last'], { priority: 'query' });
  await inLine();
  caller.abort(new Error('too late'));
  expect(await Promise.all(left)).toMatchObject([{ message: 'too late' }, { message: 'too late' }]);
  release.shift()?.();
  await first;
  await expect.poll(inputs).toEqual(['first', 'last']);
  release.shift()?.();
  await last;
  expect(inputs()).toEqual(['first', 'last']);
});

it('a batch that is aborted while it waits ends at once and is not sent', async () => {
  const embedder = openEmbedder(server, {}, { concurrency: 1 });
  const first = embedder.embed(['first'], { priority: 'batch' });
  await expect.poll(inputs).toEqual(['first']);
  const caller = new AbortController();
  const second = failure(embedder.embed(['second'], { priority: 'batch', signal: caller.signal }));
  await inLine();
  caller.abort(new Error('no longer needed'));
  expect(await second).toMatchObject({ message: 'no longer needed' });
  release.shift()?.();
  await first;
  expect(inputs()).toEqual(['first']);
});
