import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import { sayFacts } from '../../support/facts.ts';
import { DENTIST, DENTIST_AGAIN, ROUTINE, tellIn } from '../../support/samples/conversations.ts';
import { asUser, createTestServer, OPEN, type TestServer } from '../../support/server.ts';

const USER = 'wilhelmina';

let server: TestServer;
let key: { authorization: string };
beforeAll(async () => {
  server = await createTestServer({ EMBEDDER: 'built-in' });
  server.world.now = new Date('2026-03-20T09:00:00Z');
  key = { authorization: `Bearer ${(await createApiKey(server.world.ctx, 'prometheus')).secret}` };
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (headers: Record<string, string> = {}, origin = server.origin) =>
  fetch(`${origin}/metrics`, { headers });
const text = async () => (await read(key)).text();

/** The value of a series; null if there is none. */
async function value(series: string): Promise<number | null> {
  const line = (await text()).split('\n').find((own) => own.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length));
}

it('metrics can be read with an API key, but not by a user or without credentials', async () => {
  server.world.ctx.metrics.modelCall({ step: 'compact', model: 'm', outcome: 'ok', seconds: 0.2 });
  const answer = await read(key);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain(
    'mnemograph_model_call_seconds_count{step="compact",model="m",outcome="ok"} 1',
  );
  expect((await read()).status).toBe(401);
  expect((await read(await asUser('ann'))).status).toBe(403);
});

it('an open server serves its metrics to this machine', async () => {
  await using open = await createTestServer(OPEN);
  expect((await read({}, open.origin)).status).toBe(200);
});

it('decisions about facts are counted, with their similarity and duration', async () => {
  const { world } = server;
  const client = await world.user(USER);
  await sayFacts(world, client, '2026-03-02T08:00:00Z', 'My cat Luna is 3 years old.');
  const created = await value('mnemograph_semantic_creates_total{category="RELATIONSHIP"}');
  expect(created).toBeGreaterThan(0);
  await sayFacts(world, client, '2026-03-03T08:00:00Z', 'Luna turned 4.');
  expect(await value('mnemograph_semantic_updates_total{category="RELATIONSHIP"}')).toBe(1);
  expect(await value('mnemograph_semantic_creates_total{category="RELATIONSHIP"}')).toBe(created);
  expect(
    await value('mnemograph_decision_latencies_seconds_count{decision="semantic"}'),
  ).toBeGreaterThan(1);
  world.ctx.metrics.similarity('fact', 0.97);
  expect(await value('mnemograph_similarity_scores_bucket{le="0.95",of="fact"}')).toBe(0);
  expect(await value('mnemograph_similarity_scores_bucket{le="1",of="fact"}')).toBe(1);
});

it('decisions about segments are counted by reason, with their scores and durations', async () => {
  const client = await server.world.user(USER);
  const tell = tellIn(server.world);
  await tell(client, '2026-03-05T09:00:00Z', DENTIST);
  await tell(client, '2026-03-06T18:00:00Z', DENTIST_AGAIN);
  await tell(client, '2026-03-08T18:00:00Z', ROUTINE);
  expect(await value('mnemograph_episodic_creates_total{reason="outcome"}')).toBe(1);
  expect(await value('mnemograph_episodic_merges_total{reason="same theme"}')).toBe(1);
  expect(await value('mnemograph_episodic_skips_total{reason="routine"}')).toBeGreaterThan(0);
  const all = await value('mnemograph_notability_scores_count');
  expect(all).toBeGreaterThan(2);
  expect(await value('mnemograph_similarity_scores_count{of="episode"}')).toBe(all);
  expect(await value('mnemograph_decision_latencies_seconds_count{decision="episodic"}')).toBe(all);
});

it('requests are measured by route and status, and operations by the field of the schema instead of their name', async () => {
  const user = await asUser(USER);
  const operations = 'mnemograph_graphql_operation_seconds_count{type="query",operation';
  const before = (await value(`${operations}="viewer",outcome="ok"}`)) ?? 0;
  await server.post({ query: 'query Wilhelmina { viewer { turnCount } }' }, user);
  await server.post({ query: '{ viewer { turnCount } other: viewer { turnCount } }' }, user);
  await server.post({ query: '{ nothing }' }, user);
  const two = 'query A { viewer { turnCount } } query B { viewer { turnCount } }';
  expect((await server.post({ query: two }, user)).status).toBe(400);
  await fetch(`${server.origin}/wilhelmina`);
  const accept = 'application/json, text/event-stream';
  const called = { method: 'POST', headers: { accept }, body: '{}' };
  const { status } = await fetch(`${server.origin}/mcp`, called);
  expect(await value(`${operations}="viewer",outcome="ok"}`)).toBe(before + 1);
  expect(await value(`${operations}="several",outcome="ok"}`)).toBe(1);
  await server.post({ query: '{ apiKeys { id } }' }, user);
  expect(await value(`${operations}="apiKeys",outcome="errors"}`)).toBe(1);
  const requests = 'mnemograph_http_request_seconds_count{method';
  expect(await value(`${requests}="POST",route="/graphql",status="400"}`)).toBe(2);
  expect(await value(`${requests}="GET",route="other",status="404"}`)).toBe(1);
  await expect.poll(() => value(`${requests}="POST",route="/mcp",status="${status}"}`)).toBe(1);
  await expect
    .poll(() => value(`${requests}="POST",route="/graphql",status="200"}`))
    .toBeGreaterThan(1);
});

it('recalls are measured by intent and by the use of vectors', async () => {
  const query = `query ($input: RecallInput!) { recall(input: $input) { ... on RecallPayload { tokens } } }`;
  await server.post(
    { query, variables: { input: { query: 'What happened at the dentist?' } } },
    await asUser(USER),
  );
  const recalls = (await text()).match(/^mnemograph_recall_seconds_count\{.*\} 1$/m)?.[0];
  expect(recalls).toMatch(/intent="(ORDINARY|RECALL)",vectors="USED"/);
});

it('live subscribers are counted, and the delay of events is measured', async () => {
  const socket = server.socket(await asUser('listener'));
  const events = socket.iterate({ query: 'subscription { memoryEvents { number } }' });
  const next = events.next();
  const live = 'mnemograph_subscribers{operation="memoryEvents"}';
  await expect.poll(() => value(live)).toBe(1);
  await server.post(
    {
      query: `mutation { remember(input: { channel: "sms", turns: [{ text: "Hello." }] }) { __typename } }`,
    },
    await asUser('listener'),
  );
  await next;
  await expect.poll(() => value('mnemograph_event_lag_seconds_count')).toBeGreaterThan(0);
  await events.return?.();
  await expect.poll(() => value(live)).toBe(0);

  const failing = socket.iterate({ query: 'subscription { memoryEvents { number } }' });
  const failed = failing.next();
  await expect.poll(() => value(live)).toBe(1);
  const { db, publisher } = server.world.ctx;
  const broken = { ...db, asUser: () => Promise.reject(new Error('broken')) };
  {
    using _ = server.world.with({ db: broken });
    publisher.publish('listener');
    await expect(failed).rejects.toMatchObject([{ message: expect.any(String) }]);
  }
  await expect.poll(() => value(live)).toBe(0);
});

it('the jobs of all users are counted by step and state, with their age and the outcome of runs', async () => {
  const { world } = server;
  const { embedder } = world.ctx;
  await world.settle();
  if (!embedder) throw new Error('this test needs an embedder');
  world.with({ embedder: { ...embedder, embed: () => Promise.reject(new Error('away')) } });
  for (const user of ['one', 'two']) await sayTo(user);
  await world.settle();
  world.now = new Date(world.now.getTime() + 90_000);
  const jobs = (state: string, step = 'embed-turns') =>
    value(`mnemograph_jobs{step="${step}",state="${state}"}`);
  expect(await jobs('due')).toBe(2);
  expect(await value('mnemograph_job_age_seconds{step="embed-turns"}')).toBeGreaterThan(60);
  expect(await value('mnemograph_job_age_seconds{step="tune-linking"}')).toBe(0);
  expect(await jobs('later', 'idle-thread')).toBeGreaterThan(1);
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    await world.settle();
    world.now = new Date(world.now.getTime() + 200_000);
  }
  world.restore();
  expect(await jobs('dead')).toBe(2);
  expect(await jobs('due')).toBe(0);
  const runs = 'mnemograph_job_seconds_count{step';
  expect(await value(`${runs}="embed-turns",outcome="failed"}`)).toBe(8);
  expect(await value(`${runs}="embed-turns",outcome="dead"}`)).toBe(2);
  expect(await value(`${runs}="index-turns",outcome="done"}`)).toBeGreaterThan(1);
});

const sayTo = async (userId: string) =>
  server.post(
    {
      query: `mutation { remember(input: { channel: "sms", turns: [{ text: "Hello." }] }) { __typename } }`,
    },
    await asUser(userId),
  );

it('the connection pool and the process are reported, and no label contains a user, a text or an operation name', async () => {
  const all = await text();
  expect(await value('mnemograph_database_up')).toBe(1);
  expect(all).toMatch(/^mnemograph_database_connections\{state="idle"\} \d+$/m);
  expect(all).toMatch(/^mnemograph_database_waiting 0$/m);
  expect(all).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(all).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(all).not.toMatch(/wilhelmina|listener|luna|dentist|hello/i);
});

it('every metric is documented in docs/operations.md', async () => {
  const docs = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const names = [...(await text()).matchAll(/^# TYPE (mnemograph_\w+)/gm)].map(([, name]) => name);
  expect(new Set(docs.match(/\bmnemograph_\w+(?=`)/g))).toEqual(new Set(names));
});

it('metrics can be read while the database does not respond, without those of the jobs', async () => {
  const { ctx } = server.world;
  // A key is looked up now and then: a new one is not for a while once it was.
  const { secret } = await createApiKey(ctx, 'new');
  const own = { authorization: `Bearer ${secret}` };
  await read(own);
  const holder = await ctx.db.pool.connect();
  await holder.query('BEGIN; LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE');
  const answer = await (await read(own)).text();
  await holder.query('ROLLBACK');
  holder.release();
  expect(answer).toMatch(/^mnemograph_database_up 0$/m);
  expect(answer).not.toMatch(/^mnemograph_jobs\{/m);
});
