import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMeter } from '../../src/db/operations/model-meter.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import type { Meter } from '../../src/openai/meter.ts';
import { embedAll, json, openEmbedder } from '../support/models/model-embedder.ts';
import {
  type ModelServer,
  refuse,
  startModelServer,
  vectorOf,
} from '../support/models/model-server.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld } from '../support/world.ts';

const batch = { priority: 'batch', userId: 'ada' } as const;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(embedAll());
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.answer = embedAll();
});

it.each([
  ['negative', -5, 2],
  ['a word', '5', 2],
  ['missing', undefined, 2],
  ['a fraction', 5.5, 5],
  ['absurd', 1e30, 10_000_000],
])(
  'a token count that is %s is corrected, and the vectors are returned',
  async (_what, told, counted) => {
    const recorded: unknown[] = [];
    const record: Meter['record'] = async (_, { promptTokens }) => void recorded.push(promptTokens);
    server.answer = () =>
      json({ data: [{ embedding: vectorOf('a', 8) }], usage: { prompt_tokens: told } });
    const embedder = openEmbedder(server, { meter: { admit: async () => {}, record } });
    expect(await embedder.embed(['two words'], batch)).toHaveLength(1);
    expect(recorded).toEqual([counted]);
  },
);

it('a failure to record usage is logged, and embedding continues', async () => {
  const warned: unknown[] = [];
  const broken = () => Promise.reject(new Error('no connection'));
  const meter = createMeter(
    {
      db: { asUser: broken, system: broken } as never,
      metrics: createMetrics(),
      logger: { warn: (...parts: unknown[]) => warned.push(parts[1]) } as never,
      clock: () => new Date(),
    },
    null,
  );
  const embedder = openEmbedder(server, { meter });
  expect(await embedder.embed(['two words'], batch)).toHaveLength(1);
  expect(await embedder.embed(['a query'], { priority: 'query' })).toHaveLength(1);
  await expect.poll(() => warned).toEqual(['model.record_failed', 'model.record_failed']);
});

it('requests to the embedding model are counted in the metrics, failed ones too', async () => {
  await using world = await createWorld({
    EMBEDDER: 'openai',
    EMBEDDING_MODEL: 'stub',
    EMBEDDING_BASE_URL: server.baseUrl,
    MODEL_RETRIES: '0',
  });
  const client = await world.user('ada');
  await say(client, { channel: 'sms', turns: [{ text: 'the bad turn' }, { text: 'a good one' }] });
  server.answer = (request) =>
    request.body.input?.includes('the bad turn') ? refuse(500) : embedAll()(request);
  await world.settle();
  const metrics = await world.ctx.metrics.text();
  const calls = 'mnemograph_model_call_seconds_count';
  expect(metrics).toMatch(new RegExp(`${calls}{step="embed",model="stub",outcome="ok"} [1-9]`));
  expect(metrics).toMatch(new RegExp(`${calls}{step="embed",model="stub",outcome="failed"} [1-9]`));
  expect(metrics).toMatch(new RegExp(`${calls}{step="ping",model="stub",outcome="ok"} [1-9]`));
});
