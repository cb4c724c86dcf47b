import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { asStored } from '../../../src/domain/core/vector.ts';
import { embedTexts } from '../../../src/remember/vectors/embed-texts.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { graphql } from '../../support/generated/gql.ts';
import { embedAll, json, KEY } from '../../support/models/model-embedder.ts';
import {
  type ModelReply,
  type ModelServer,
  refuse,
  startModelServer,
  vectorOf,
} from '../../support/models/model-server.ts';
import { say } from '../../support/samples/conversation.ts';
import { sharedThreads } from '../../support/shared.ts';
import { createWorld, type World } from '../../support/world.ts';

let server: ModelServer;
let answer: ModelServer['answer'];
let world: World;
let logged = '';
beforeAll(async () => {
  server = await startModelServer((...args) => answer(...args));
  const logger = pino(
    { level: 'trace' },
    {
      write: (line: string) => {
        logged += line;
      },
    },
  );
  world = await createWorld(
    {
      EMBEDDER: 'openai',
      EMBEDDING_MODEL: 'stub',
      EMBEDDING_BASE_URL: server.baseUrl,
      EMBEDDING_API_KEY: KEY,
      EMBEDDING_BATCH: '8',
      MODEL_RETRIES: '0',
      MODEL_TIMEOUT_MS: '400',
    },
    { logger, languageThreads: sharedThreads(false) },
  );
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  answer = embedAll();
});

const STATE = graphql(`
  query EmbeddingState {
    viewer {
      vectorIndex {
        total
        embedded
        pending
        skipped
        share
      }
      jobs(first: 10) {
        edges {
          node {
            step
            attempts
            lastError
          }
        }
      }
      events(last: 20) {
        edges {
          node {
            kind
            decision
          }
        }
      }
    }
  }
`);

async function remembering(userId: string, texts: string[]) {
  const client = await world.user(userId);
  await say(client, { channel: 'sms', turns: texts.map((text) => ({ text })) });
  const state = async () => {
    const { viewer } = await client.execute(STATE);
    const nodes = <T>(list: { edges: { node: T }[] } | undefined) =>
      (list?.edges ?? []).map(({ node }) => node);
    return {
      index: viewer?.vectorIndex,
      job: nodes(viewer?.jobs).find(({ step }) => step === 'embed-turns'),
      decisions: nodes(viewer?.events)
        .filter(({ kind }) => kind === 'TURNS_EMBEDDED')
        .map(({ decision }) => decision),
    };
  };
  return { client, state };
}
const texts = (count: number, of = 'turn') => Array.from({ length: count }, (_, n) => `${of} ${n}`);
/** Answers like `embedAll`, but for requests with the bad text. */
const but =
  (bad: string, reply: ModelReply): ModelServer['answer'] =>
  (request) =>
    request.body.input?.includes(bad) ? reply : embedAll()(request);

it.each<[string, ModelReply, string]>([
  ['is refused', refuse(400, { message: 'bad input' }), '400'],
  ['is too long', refuse(413), '413'],
  ['makes the server fail', refuse(500), '500'],
  ['makes the server hang', { kind: 'hang' }, '408'],
  [
    'gets no numbers',
    json({
      data: texts(8).map((_, index) => ({
        index,
        embedding: index === 5 ? [null] : vectorOf('x', 8),
      })),
    }),
    'vector',
  ],
])(
  'a turn that %s stays without a vector; the others get theirs, and the log says so',
  async (name, reply, reason) => {
    const { state } = await remembering(`refused ${name}`, [
      ...texts(13, name),
      'the bad turn',
      ...texts(6, `later ${name}`),
    ]);
    answer = but('the bad turn', reply);
    await world.settle();
    const { index, job, decisions } = await state();
    expect(index).toEqual({ total: 20, embedded: 19, pending: 0, skipped: 1, share: 1 });
    expect(job).toBeUndefined();
    expect(decisions).toEqual([
      expect.stringMatching(/^turns\.embed \(19 by openai:stub@8, skipped 1: /),
    ]);
    expect(decisions[0]).toContain(reason);
    expect(logged).toContain('turns.embed_refused');
    expect(logged).not.toContain('the bad turn');
  },
);

it('the texts beside a turn that was refused get their vectors at once, each its own', async () => {
  await remembering('beside', ['first words', 'the bad turn', 'last words']);
  answer = but('the bad turn', refuse(400));
  await embedTurns(world.ctx, 'beside');
  answer = but('the bad turn', refuse(500));
  const { embedder, db } = world.ctx;
  if (!embedder) throw new Error('There is no embedder.');
  const { rows: turns } = await db.pool.query<{ id: number; text: string }>(
    "SELECT id, text FROM turns WHERE user_id = 'beside' ORDER BY id",
  );
  server.requests.length = 0;
  const embedded = await embedTexts({ ...world.ctx, embedder }, 'beside', ['a text', ...turns]);
  const own = (text: string) => ({ vector: asStored(Float32Array.from(vectorOf(text, 8))) });
  expect(embedded).toEqual([
    own('a text'),
    own('first words'),
    { refusal: expect.any(String) },
    own('last words'),
  ]);
  const asked = server.requests.filter(({ body }) => body.input?.includes('the bad turn'));
  expect(asked).toHaveLength(1);
});

it('a turn that was refused is not looked for again when its thread is segmented', async () => {
  await remembering('searched', [...texts(13, 'found'), 'the bad turn', ...texts(6, 'later')]);
  answer = but('the bad turn', refuse(400));
  expect(await embedTurns(world.ctx, 'searched')).toBe('done');
  server.requests.length = 0;
  await world.settle();
  const asked = server.requests.filter(({ body }) => body.input?.includes('the bad turn'));
  expect(asked).toHaveLength(1);
});

it('a lone turn that is refused is passed over only when the model takes another text', async () => {
  const { state } = await remembering('alone', ['the bad turn']);
  answer = but('the bad turn', refuse(400));
  await world.settle();
  expect((await state()).index).toMatchObject({ embedded: 0, pending: 0, skipped: 1 });
});

it('when every text is refused it is the setting that is wrong: nothing is passed over', async () => {
  const { state } = await remembering('all refused', texts(3, 'all'));
  answer = () => refuse(400, { param: 'encoding_format' });
  await world.settle();
  const { index, job } = await state();
  expect(index).toMatchObject({ pending: 3, skipped: 0 });
  expect(job).toMatchObject({ attempts: 1, lastError: expect.stringContaining('encoding_format') });
  answer = embedAll();
  world.now = new Date(world.now.getTime() + 10_000);
  await world.settle();
  expect((await state()).index).toMatchObject({ embedded: 3, pending: 0 });
});

it('vectors of a wrong length are never stored', async () => {
  const { state } = await remembering('wrong length', texts(3, 'length'));
  answer = embedAll(9);
  await world.settle();
  const { index, job } = await state();
  expect(index).toMatchObject({ embedded: 0, pending: 3, skipped: 0 });
  expect(job?.lastError).toContain('9 numbers instead of 8');
  answer = embedAll();
  world.now = new Date(world.now.getTime() + 10_000);
  await world.settle();
  expect((await state()).index).toMatchObject({ embedded: 3 });
});

it.each<[string, ModelReply]>([
  ['away', refuse(503)],
  ['silent', { kind: 'hang' }],
  ['refusing our key', refuse(401, { message: `Incorrect API key provided: ${KEY}` })],
  ['limiting us', refuse(429, {}, { 'retry-after': '60' })],
])('a server that is %s costs no attempt, and shows no key', async (name, reply) => {
  const { client, state } = await remembering(`outage ${name}`, texts(3, name));
  answer = () => reply;
  const pause = world.ctx.config.model.pause;
  for (let round = 0; round < 7; round += 1) {
    await world.settle();
    world.now = new Date(world.now.getTime() + pause + 60_000);
  }
  const { index, job } = await state();
  expect(index).toMatchObject({ pending: 3, skipped: 0 });
  expect(job?.attempts).toBe(0);
  expect(job?.lastError).toMatch(/^The model's server/);
  expect(logged).not.toContain(KEY);
  const { rows } = await world.ctx.db.pool.query(
    'SELECT (SELECT json_agg(j)::text FROM jobs j) || (SELECT json_agg(e)::text FROM memory_events e) AS text',
  );
  expect(rows[0].text).not.toContain(KEY);
  const found = await client.post({
    query:
      '{ recall(input: { query: "what was said?" }) { ... on RecallPayload { vectors hits { score } } } }',
  });
  expect(found.body).toMatchObject({ data: { recall: { vectors: 'NOT_READY' } } });
  expect(JSON.stringify(found.body)).not.toContain(KEY);
});

it('embedding goes on by itself when the server of the model is back', async () => {
  answer = embedAll();
  // The breaker waits by the real clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  world.now = new Date(world.now.getTime() + 600_000);
  await world.settle();
  vi.useRealTimers();
  const { rows } = await world.ctx.db.pool.query(
    `SELECT count(*)::int AS vectors FROM turn_vectors WHERE user_id LIKE 'outage %'`,
  );
  expect(rows[0].vectors).toBe(12);
});
