import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import {
  chat,
  type ModelRequest,
  type ModelServer,
  refuse,
  startModelServer,
  vectorOf,
} from '../support/model-server.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const MODEL_STEPS = new Set(['describe-thread', 'embed-turns']);

const SECRET = 'sk-a-secret-of-the-operator';
const description = {
  title: 'A talk of that day about this and that',
  summary: 'They talked.',
  topic: 'this and that',
  approach: '',
  outcomes: [],
};

let server: ModelServer;
let world: World;
let logged: string[];

const open = async (settings: Record<string, string> = {}) => {
  const write = (...parts: unknown[]) =>
    void logged.push(
      JSON.stringify(parts, (_, value) =>
        value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
      ),
    );
  world = await createWorld(
    {
      REASONER: 'openai',
      REASONER_MODEL: 'small',
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: SECRET,
      EMBEDDER: 'none',
      ...settings,
    },
    { logger: { debug: write, info: write, warn: write, error: write } as never },
  );
};

beforeEach(async () => {
  // The circuit breaker's pause goes by the real clock, the jobs by the world's.
  vi.useFakeTimers({ toFake: ['Date'] });
  logged = [];
  server = await startModelServer(() =>
    chat(description, { prompt: 100, completion: 20, cached: 40 }),
  );
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  vi.useRealTimers();
});

const pass = (seconds: number) => {
  world.now = new Date(world.now.getTime() + seconds * 1000);
  vi.setSystemTime(world.now);
};

const IMPORT = graphql(`
  mutation ImportForModel($input: ImportConversationInput!) {
    importConversation(input: $input) {
      __typename
      ... on ImportPayload {
        stored
      }
    }
  }
`);
const STATE = graphql(`
  query ModelState {
    viewer {
      turnCount
      jobs(first: 100) {
        edges {
          node {
            step
            state
            attempts
            lastError
            runAt
          }
        }
      }
      threads(first: 100) {
        edges {
          node {
            primaryEpisode {
              title
              generatedBy
              model
            }
          }
        }
      }
      events(first: 100) {
        edges {
          node {
            kind
          }
        }
      }
      usage(days: 7) {
        day
        step
        model
        calls
        promptTokens
        cachedTokens
        completionTokens
      }
    }
  }
`);

/** Imports one thread a day, `talks` of them, of two turns each. */
async function importTalks(client: Client, talks: number, from = 0) {
  const turns = Array.from({ length: talks * 2 }, (_, index) => ({
    speaker: index % 2 ? 'Bob' : 'Ada',
    text: `What was said number ${from + index}`,
    occurredAt: new Date(
      Date.UTC(2025, 0, 1 + Math.floor(index / 2) + from, 10, index % 2),
    ).toISOString(),
  }));
  await client.execute(IMPORT, { input: { self: 'Ada', turns } });
}

async function stateOf(client: Client) {
  const { viewer } = await client.execute(STATE);
  if (!viewer) throw new Error('nobody is there');
  return {
    ...viewer,
    jobs: viewer.jobs.edges.map(({ node }) => node).filter(({ step }) => MODEL_STEPS.has(step)),
    episodes: viewer.threads.edges.map(({ node }) => node.primaryEpisode),
    described: viewer.events.edges.filter(({ node }) => node.kind === 'THREAD_DESCRIBED').length,
  };
}

it('an outage of 60 s in the middle of an import loses nothing, burns no attempt and finishes by itself', async () => {
  await open({ EMBEDDER: 'openai', EMBEDDING_MODEL: 'vectors' });
  vi.setSystemTime(world.now);
  const client = await world.user('outage');
  let described = 0;
  let isAway = () => described >= 4;
  server.answer = ({ path, body }) => {
    if (isAway()) return refuse(503);
    if (path.endsWith('/embeddings')) {
      return { kind: 'vectors', vectors: (body.input ?? []).map((text) => vectorOf(text, 8)) };
    }
    described += 1;
    return chat(description);
  };
  await importTalks(client, 8);
  await world.settle();
  // The outage is there; the import goes on.
  await importTalks(client, 4, 8);
  const asked = server.requests.length;
  for (let second = 0; second < 60; second += 5) {
    await world.settle();
    const { jobs, episodes } = await stateOf(client);
    expect(episodes.filter(Boolean)).toHaveLength(4);
    expect(jobs.filter(({ step }) => step === 'describe-thread')).toHaveLength(8);
    expect(jobs.map(({ step }) => step)).toContain('embed-turns');
    for (const { state, attempts, lastError } of jobs) {
      expect([state, attempts, lastError]).toEqual(['PARKED', 0, expect.stringContaining('away')]);
    }
    pass(5.1);
  }
  // A few requests every pause, no storm.
  expect(server.requests.length - asked).toBeLessThanOrEqual(2 * 12 * 4);

  isAway = () => false;
  pass(20);
  await world.settle();
  const { jobs, episodes, turnCount, described: events } = await stateOf(client);
  expect(jobs).toEqual([]);
  expect(turnCount).toBe(24);
  expect(episodes).toEqual(
    Array(12).fill({ title: description.title, generatedBy: 'MODEL', model: 'small' }),
  );
  expect(events).toBe(12);
  const { rows } = await world.ctx.db.pool.query(
    'SELECT count(*)::int AS vectors FROM turn_vectors',
  );
  expect(rows).toEqual([{ vectors: 24 }]);
});

it('what models cost is counted by day, step and model, repairs included', async () => {
  await open({ REASONER_STEPS: 'describe-segment=large@0.3' });
  vi.setSystemTime(world.now);
  const client = await world.user('usage');
  server.answer = (_request, index) =>
    chat(index === 0 ? 'no JSON' : description, { prompt: 100, completion: 20, cached: 40 });
  await importTalks(client, 2);
  await world.settle();
  expect((await stateOf(client)).usage).toEqual([
    {
      day: '2026-03-02',
      step: 'describe-segment',
      model: 'large',
      calls: 3,
      promptTokens: 300,
      cachedTokens: 120,
      completionTokens: 60,
    },
  ]);
  expect(server.requests[0]?.body).toMatchObject({ model: 'large', temperature: 0.3 });
  expect(
    (
      await stateOf(
        await world.user('somebody-else').then((other) => importTalks(other, 1).then(() => other)),
      )
    ).usage,
  ).toEqual([]);
  const metrics = await world.ctx.metrics.text();
  expect(metrics).toContain(
    'mnemograph_model_tokens_total{step="describe-segment",model="large",kind="cached"} 120',
  );
  expect(metrics).toContain(
    'mnemograph_model_call_seconds_count{step="describe-segment",model="large",outcome="ok"} 3',
  );
});

it('steps wait for the next day once the daily tokens are spent', async () => {
  await open({ MODEL_DAILY_TOKENS: '200' });
  vi.setSystemTime(world.now);
  const client = await world.user('thrifty');
  await importTalks(client, 3);
  await world.settle();
  const spent = await stateOf(client);
  expect(spent.described).toBe(2);
  expect(spent.jobs).toMatchObject([
    {
      state: 'PARKED',
      attempts: 0,
      lastError: "The day's 200 tokens (MODEL_DAILY_TOKENS) are spent.",
      runAt: '2026-03-03T00:00:00.000Z',
    },
  ]);
  world.now = new Date('2026-03-03T00:00:01Z');
  await world.settle();
  expect((await stateOf(client)).described).toBe(3);
});

it('a model that answers nonsense costs attempts, and the step dies visibly', async () => {
  await open();
  vi.setSystemTime(world.now);
  const client = await world.user('nonsense');
  server.answer = () => chat('What was said number 0, says the model');
  await importTalks(client, 1);
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await world.settle();
    pass(600);
  }
  const { jobs } = await stateOf(client);
  expect(jobs).toMatchObject([
    { state: 'DEAD', attempts: 5, lastError: expect.stringContaining('it is not JSON') },
  ]);
  expect(jobs[0]?.lastError).not.toContain('What was said');
});

it('the key and the words reach the model alone: no log, no row, no answer holds the key, no log the words', async () => {
  await open();
  vi.setSystemTime(world.now);
  const client = await world.user('secrets');
  const echo = ({ headers, body }: ModelRequest) =>
    `${headers.authorization} ${body.messages?.at(-1)?.content}`;
  const faults = [
    (asked: ModelRequest) => refuse(401, { message: echo(asked), code: SECRET }),
    (asked: ModelRequest) => refuse(429, { message: echo(asked) }, { 'retry-after': '100' }),
    (asked: ModelRequest) => refuse(400, { message: echo(asked), type: echo(asked) }),
    (asked: ModelRequest) => chat(echo(asked)),
    () => chat(description),
  ];
  await importTalks(client, 1);
  for (const fault of faults) {
    server.answer = fault;
    await world.settle();
    pass(200);
  }
  await world.settle();
  const { jobs, described } = await stateOf(client);
  expect([jobs, described]).toEqual([[], 1]);
  expect(server.requests.length).toBeGreaterThan(5);
  expect(logged.join('\n')).toContain('job.parked');
  expect(logged.join('\n')).not.toMatch(/sk-a-secret|What was said/);
  const { rows } = await world.ctx.db.pool.query(
    `SELECT string_agg(query_to_xml('SELECT * FROM ' || quote_ident(tablename), true, false, '')::text, '') AS dump
     FROM pg_tables WHERE schemaname = current_schema()`,
  );
  expect(rows[0].dump).toContain('What was said number 0');
  expect(rows[0].dump).not.toContain('sk-a-secret');
});
