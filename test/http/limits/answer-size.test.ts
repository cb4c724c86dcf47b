import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';
import { waitingReads } from '../../support/waiting-reads.ts';

const TURNS = 30;
const LENGTH = 50_000;
/** Fewer bytes than the turns have, and more than half of them. */
const MOST = 1_000_000;
const VIEWER = { query: '{ viewer { turnCount } }' };
const PAGE = 'edges { node { text } }';

let server: TestServer;
let ann: { authorization: string };
/** What reading from a memory waits for. */
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  server = await createTestServer(
    { MAX_ANSWER_BYTES: String(MOST) },
    {},
    waitingReads(() => gate),
  );
  ann = await asUser('ann');
  const turns = Array.from({ length: TURNS }, (_, index) => ({
    role: 'ASSISTANT' as const,
    text: `${index} `.padEnd(LENGTH, 'word '),
    toolCalls: [{ name: 'look', ok: true, result: 'r'.repeat(LENGTH) }],
  }));
  await remember(turns);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.world.statements.length = 0;
});

async function remember(turns: object[]): Promise<void> {
  const query = 'mutation ($input: RememberInput!) { remember(input: $input) { __typename } }';
  const { body } = await server.post(
    { query, variables: { input: { channel: 'sms', turns } } },
    ann,
  );
  expect(body.data).toEqual({ remember: { __typename: 'RememberPayload' } });
}

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Operations of less than a kilobyte, with the bytes that they ask for in millions. */
const LARGE: [what: string, megabytes: number, query: string][] = [
  ['a long page', 1.5, `{ viewer { turns(first: 100) { ${PAGE} } } }`],
  [
    'a page by many names',
    7.5,
    `{ viewer { ${many(30, (n) => `a${n}: turns(first: 5) { ${PAGE} }`)} } }`,
  ],
  [
    'many pages',
    20,
    `{ viewer { ${many(20, (n) => `a${n}: turns(first: ${30 - n}) { ${PAGE} }`)} } }`,
  ],
  [
    'many fields at the top',
    15,
    `{ ${many(20, (n) => `a${n}: viewer { turns(first: 15) { ${PAGE} } }`)} }`,
  ],
  [
    'one text by many names',
    1.5,
    `{ viewer { turns(first: 1) { edges { node { ${many(30, (n) => `a${n}: text`)} } } } } }`,
  ],
  [
    'tool calls',
    1.5,
    '{ viewer { turns(first: 100) { edges { node { toolCalls { result } } } } } }',
  ],
  [
    'turns of threads of turns',
    45,
    `{ viewer { turns(first: 30) { edges { node { thread { turns(first: 30) { ${PAGE} } } } } } } }`,
  ],
];

/** Statements that read the words or tool calls of turns. */
const contentReads = () => server.world.sent(/^turn-contents/).length;

const refusal = { code: 'ANSWER_TOO_LARGE' };

it.each(LARGE)('%s that would have %d MB is refused with advice', async (_what, _size, query) => {
  const { status, body } = await server.post({ query }, ann);
  expect(status).toBe(400);
  expect(body).not.toHaveProperty('data');
  expect(body.errors).toMatchObject([{ extensions: refusal }]);
  expect(body.errors?.[0]?.message).toMatch(
    /more than 1,000,000 bytes.*smaller pages.*fewer aliases/,
  );
  expect(JSON.stringify(body).length).toBeLessThan(1_000);
  // Of 45 MB hardly more is read than an answer may have, a third of a megabyte at a time.
  expect(contentReads()).toBeLessThanOrEqual(8);
});

it.each([
  ['a recall', 'query: "word", first: 100'],
  ['a recall with what was said around', 'query: "word", first: 18, neighbours: 5'],
])('%s that would exceed the limit of an answer is refused', async (_what, input) => {
  const query = `{ recall(input: { ${input} }) { ... on RecallPayload { hits { score } } } }`;
  await server.world.settle();
  const { body } = await server.post({ query }, ann);
  expect(body.errors).toMatchObject([{ extensions: refusal }]);
});

it('an answer within the limit is complete, and only the requested columns are read', async () => {
  const query = `{ viewer { turns(first: 15) { ${PAGE} } threads { edges { node { turnCount } } } } }`;
  const { status, body } = await server.post({ query }, ann);
  const { turns } = (
    body.data as never as { viewer: { turns: { edges: { node: { text: string } }[] } } }
  ).viewer;
  expect(status).toBe(200);
  expect(turns.edges.map(({ node }) => node.text.length)).toEqual(Array(15).fill(LENGTH));
  server.world.statements.length = 0;
  await server.post({ query: '{ viewer { turns { edges { node { number } } } } }' }, ann);
  expect(contentReads()).toBe(0);
  // The columns that Prisma reads are only in its SQL.
  const byPrisma = server.world.statements.filter(({ name }) => name === null);
  expect(byPrisma.filter(({ text }) => /"text"|tool_calls/.test(text))).toEqual([]);
});

it('ten operations that are too large are refused while other requests are answered', async () => {
  const bob = await asUser('bob');
  const [, , query] = LARGE[2] as (typeof LARGE)[number];
  let done = false;
  const large = Promise.all(Array.from({ length: 10 }, () => server.post({ query }, ann))).finally(
    () => {
      done = true;
    },
  );
  let answered = 0;
  while (!done) {
    expect((await server.post({ query: '{ __typename }' }, bob)).status).toBe(200);
    answered += 1;
  }
  for (const { body } of await large) expect(body.errors).toMatchObject([{ extensions: refusal }]);
  expect(answered).toBeGreaterThan(3);
  expect((await server.post(VIEWER, bob)).status).toBe(200);
});

it('an answer that is too large is refused over WebSocket, too, and later events still arrive', async () => {
  const socket = server.socket(ann);
  const [, , query] = LARGE[0] as (typeof LARGE)[number];
  const refused = { value: { errors: [{ extensions: refusal }] } };
  expect(await socket.iterate({ query }).next()).toMatchObject(refused);
  const subscription = `subscription { memoryEvents(kinds: [TURNS_REMEMBERED]) { ${many(3, (n) => `a${n}: turns { text }`)} } }`;
  const overSocket = socket.iterate({ query: subscription });
  await using overHttp = await server.stream({ query: subscription }, ann);
  const first = [overSocket.next(), overHttp.next()] as const;
  await expect
    .poll(async () => /memoryEvents"\} 2/.test(await server.world.ctx.metrics.text()))
    .toBe(true);
  await remember(Array.from({ length: 10 }, () => ({ text: 'long '.repeat(10_000) })));
  await remember([{ text: 'Short again.' }]);
  expect(await first[0]).toMatchObject(refused);
  expect(await first[1]).toMatchObject(refused.value);
  const short = { data: { memoryEvents: { a0: [{ text: 'Short again.' }] } } };
  expect(await overSocket.next()).toMatchObject({ value: short });
  expect(await overHttp.next()).toMatchObject(short);
  await overSocket.return?.();
});

it('a mutation stays in effect when its answer is refused', async () => {
  const query = `mutation ($input: RememberInput!) { remember(input: $input) { ... on RememberPayload {
    turns { turn { ${many(30, (n) => `a${n}: text`)} } } } } }`;
  const text = 'kept '.repeat(10_000);
  const variables = { input: { channel: 'sms', turns: [{ text }] } };
  const cat = await asUser('cat');
  const { body } = await server.post({ query, variables }, cat);
  expect(body.errors).toMatchObject([
    {
      message: expect.stringContaining('Changes that a mutation made are kept'),
      extensions: refusal,
    },
  ]);
  expect((await server.post(VIEWER, cat)).body.data).toEqual({ viewer: { turnCount: 1 } });
});

/** Reads 1.5 MB in two statements, the first of which is held back until `leave` has been seen. */
async function readsWhenGone(ask: (query: string) => () => Promise<unknown>): Promise<number> {
  let open = () => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const query = `{ viewer { turns(first: 100) { edges { node { text } } } } }`;
  const leave = ask(query);
  await expect.poll(contentReads).toBeGreaterThan(0);
  const before = contentReads();
  await leave();
  open();
  gate = Promise.resolve();
  // What was under way is over when another one of the kind is.
  await server.post({ query: '{ viewer { turns(first: 1) { edges { node { text } } } } }' }, ann);
  return contentReads() - before - 1;
}

it('nothing more is read for a client that has disconnected', async () => {
  let client: ClientRequest | undefined;
  const more = await readsWhenGone((query) => {
    const headers = { ...ann, 'content-type': 'application/json' };
    client = request(`${server.origin}/graphql`, { method: 'POST', headers });
    client.on('error', () => {});
    client.end(JSON.stringify({ query }));
    return async () => {
      const closed = new Promise((resolve) => client?.once('close', resolve));
      client?.destroy();
      await closed;
      await server.post(VIEWER, ann);
    };
  });
  expect(more).toBe(0);
});

it('nothing more is read for an operation that its client has completed over WebSocket', async () => {
  const socket = server.socket(ann);
  await socket.iterate(VIEWER).next();
  const more = await readsWhenGone((query) => {
    const complete = socket.subscribe({ query }, { next() {}, error() {}, complete() {} });
    return async () => {
      complete();
      await socket.iterate(VIEWER).next();
    };
  });
  expect(more).toBe(0);
});
