import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startWorker } from '../../src/jobs/worker.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noTracing } from '../../src/observability/tracing.ts';
import { startModelServer } from '../support/models/model-server.ts';
import { answerTo } from '../support/models/model-world.ts';
import { asUser, createTestServer } from '../support/server.ts';

type Value = { stringValue?: string; intValue?: number };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
  events: { name: string }[];
  status: { code: number };
};
type Export = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
};

/** Starts a collector that receives OTLP over HTTP, as JSON. */
async function startCollector(status = 200) {
  const bodies: string[] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const remember = (text: string) => ({
  query: `mutation Quincunx { remember(input: { channel: "sms", turns: [{ text: "${text}" }] }) { __typename } }`,
});

it("a remember and the steps that it causes are spans in the caller's trace, without words of the memory", async () => {
  await using collector = await startCollector();
  await using model = await startModelServer((request) => answerTo(request));
  const server = await createTestServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    REASONER: 'openai',
    REASONER_MODEL: 'small',
    // With one model for both, the request that segments the thread would also compact it.
    REASONER_STEPS: 'compact=large',
    OPENAI_BASE_URL: model.baseUrl,
  });
  const user = await asUser('wilhelmina');
  await server.post(remember('My sister Zephyrine likes kumquats.'), {
    ...user,
    traceparent: `00-${TRACE}-${CALLER}-01`,
  });
  await server.world.settle();
  server.world.now = new Date(server.world.now.getTime() + 4 * 3_600_000);
  await server.world.settle();
  await server.post({ query: '{ viewer { turnCount } }' }, user);
  await server[Symbol.asyncDispose]();

  const spans = collector.spans();
  const ours = spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => ours.filter((span) => span.name === name);
  const [request] = named('POST /graphql');
  expect(request?.parentSpanId).toBe(CALLER);
  expect(request?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 200 },
  });
  const [operation] = named('mutation remember');
  expect(operation?.parentSpanId).toBe(request?.spanId);
  const transaction = named('transaction').find(
    ({ parentSpanId }) => parentSpanId === operation?.spanId,
  );
  expect(transaction?.events.map(({ name }) => name)).toEqual([
    ...['begin', 'remember-load', 'remember-save', 'commit'],
  ]);
  const [step] = named('step index-turns');
  expect(step?.parentSpanId).toBe(transaction?.spanId);
  expect(step?.attributes).toContainEqual({
    key: 'mnemograph.outcome',
    value: { stringValue: 'done' },
  });
  // Jobs that a step adds continue in the same trace.
  const compaction = named('step compact-thread').find(
    ({ spanId }) =>
      spanId ===
      named('model compact').find(({ parentSpanId }) => parentSpanId === spanId)?.parentSpanId,
  );
  expect(compaction).toBeDefined();
  // Another request begins a trace of its own.
  const [other] = spans.filter(({ name }) => name === 'query viewer');
  expect(other?.traceId).not.toBe(TRACE);
  expect(
    spans.filter(({ name }) => name.startsWith('read ')).map(({ traceId }) => traceId),
  ).toContain(other?.traceId);
  const all = collector.bodies.join('\n');
  expect(all).toContain('"mnemograph"');
  expect(all).not.toMatch(/wilhelmina|zephyrine|kumquat|sister|quincunx/i);
});

it("a worker runs the steps of a request in the request's trace, but does not trace its search for jobs", async () => {
  await using collector = await startCollector();
  const server = await createTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const worker = await startWorker(server.world.ctx);
  const user = await asUser('ann');
  await server.post(remember('Hello.'), { ...user, traceparent: `00-${TRACE}-${CALLER}-01` });
  const { pool } = server.world.ctx.db;
  const left = async () =>
    (await pool.query(`SELECT FROM jobs WHERE step = 'index-turns'`)).rowCount;
  await expect.poll(left).toBe(0);
  await worker[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  const names = collector.spans().map(({ name, traceId }) => [name, traceId === TRACE]);
  expect(names).toContainEqual(['step index-turns', true]);
  expect(names.filter(([name]) => name === 'statement jobs-lease')).toEqual([]);
});

it('a step that fails is a failed span without the message of the error', async () => {
  await using collector = await startCollector();
  const server = await createTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const { indexer } = server.world.ctx;
  server.world.with({
    indexer: {
      ...indexer,
      terms: () => Promise.reject(new RangeError('kumquats')),
    },
  });
  await server.post(remember('Hello.'), await asUser('ann'));
  await server.world.settle();
  await server[Symbol.asyncDispose]();
  const [step] = collector.spans().filter(({ name }) => name === 'step index-turns');
  expect(step?.status.code).toBe(2);
  expect(step?.attributes).toContainEqual({
    key: 'error.type',
    value: { stringValue: 'RangeError' },
  });
  expect(collector.bodies.join()).not.toContain('kumquats');
});

it.each([
  // The shutdown waits no longer than this, and does not wait for what was refused.
  ['cannot be reached', '"milliseconds":2000,"msg":"tracing.flush_failed"'],
  ['refuses spans', 'tracing.export_failed'],
])(
  'a collector that %s is logged and does not delay requests or the shutdown',
  async (what, line) => {
    await using collector = await startCollector(400);
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (text) => void lines.push(text) });
    const url = what === 'refuses spans' ? collector.url : 'http://127.0.0.1:9';
    const server = await createTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, { logger });
    expect((await server.post(remember('Hello.'), await asUser('ann'))).status).toBe(200);
    await server[Symbol.asyncDispose]();
    expect(lines.join()).toContain(line);
    expect(lines.join().includes('flush_failed')).toBe(line.includes('flush_failed'));
  },
);

it('without a collector nothing is traced', async () => {
  await using server = await createTestServer();
  expect(server.world.ctx.tracing).toBe(noTracing);
  await server.post(remember('Hello.'), {
    ...(await asUser('ann')),
    traceparent: `00-${TRACE}-${CALLER}-01`,
  });
  const { rows } = await server.world.ctx.db.pool.query('SELECT DISTINCT traceparent FROM jobs');
  expect(rows).toEqual([{ traceparent: null }]);
});
