import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processorTimeUntil } from '../support/processor-time.ts';
import { type Answer, asUser, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let user: { authorization: string };
beforeAll(async () => {
  server = await createTestServer();
  user = await asUser('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const TURNS = '{ viewer { turnCount } }';
const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) {
  __typename ... on Error { code message } ... on InvalidInputError { issues { path message } } } }`;

/** Status, code and message of a refusal, after which the server still answers. */
async function refusal(answer: Answer) {
  const after = await server.post({ query: TURNS }, user);
  expect(after.status).toBe(200);
  const [error] = answer.body.errors ?? [];
  expect(Object.keys(answer.body)).not.toContain('data');
  return [answer.status, error?.extensions.code, error?.message];
}

it('an invalid body is answered with what is wrong with it', async () => {
  expect(await refusal(await server.post('{"query": oops}', user))).toEqual([
    400,
    'BAD_REQUEST',
    'The request body is not JSON: Unexpected token \'o\', "{"query": oops}" is not valid JSON.',
  ]);
  expect(await refusal(await server.post('', user))).toEqual([
    400,
    'BAD_REQUEST',
    'The request body is empty. Send {"query": "…", "variables": {…}}.',
  ]);
  for (const body of [{}, 1, 'null', '"query"', { variables: {} }]) {
    expect(await refusal(await server.post(body, user))).toEqual([
      400,
      'BAD_REQUEST',
      'There is no "query". Send {"query": "…", "variables": {…}}.',
    ]);
  }
  expect(await refusal(await server.post({ query: 7 }, user))).toEqual([
    400,
    'BAD_REQUEST',
    'Expected "query" param to be a string, but given number.',
  ]);
  expect(await refusal(await server.post({ query: TURNS, variables: [] }, user))).toEqual([
    400,
    'BAD_REQUEST',
    'Expected "variables" param to be empty or an object, but given array.',
  ]);
  expect(await refusal(await server.post([{ query: TURNS }, { query: TURNS }], user))).toEqual([
    400,
    'BAD_REQUEST',
    'Batching is not supported: send one operation per request, not a list.',
  ]);
});

it('operations are accepted as JSON only, and mutations by POST only', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await server.post({ query: TURNS }, { ...user, 'content-type': type });
    expect(await refusal(answer)).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the operation as "content-type: application/json".',
    ]);
  }
  const get = async (search: Record<string, string>) => {
    const url = `${server.origin}/graphql?${new URLSearchParams(search)}`;
    const response = await fetch(url, { headers: user });
    return { ...response, status: response.status, body: await response.json() } as Answer;
  };
  expect(await get({ query: TURNS })).toMatchObject({ status: 200, body: { data: {} } });
  expect(
    await refusal(await get({ query: 'mutation { forget(input: {}) { __typename } }' })),
  ).toEqual([405, 'BAD_REQUEST', 'Can only perform a mutation operation from a POST request.']);
  expect(await refusal(await get({ query: TURNS, variables: '{oops' }))).toMatchObject([
    400,
    'BAD_REQUEST',
    expect.stringContaining('"variables" or "extensions" is not JSON: Expected property name'),
  ]);
  const put = await fetch(`${server.origin}/graphql`, { method: 'PUT', headers: user });
  expect(put.status).toBe(405);
  expect((await fetch(`${server.origin}/elsewhere`)).status).toBe(404);
});

it('a body that is too large is refused, with or without a length, and the server keeps working', async () => {
  const large = JSON.stringify({ query: TURNS, variables: { x: 'x'.repeat(10_000_000) } });
  const wanted = [
    413,
    'BODY_TOO_LARGE',
    'The request body is larger than 4,000,000 bytes. Send fewer turns per call.',
  ];
  expect(await refusal(await server.post(large, user))).toEqual(wanted);
  const chunked = await new Promise<Answer>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...user };
    const request = httpRequest(`${server.origin}/graphql`, { method: 'POST', headers });
    request.on('error', reject);
    request.on('response', async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, body: JSON.parse(text) } as Answer);
    });
    for (let at = 0; at < large.length; at += 100_000) request.write(large.slice(at, at + 100_000));
    request.end();
  });
  expect(await refusal(chunked)).toEqual(wanted);
});

it('a large body is read in bounded time', async () => {
  const turns = Array.from({ length: 35 }, () => ({ text: 'x'.repeat(100_000) }));
  const sent = server.post(
    { query: REMEMBER, variables: { input: { channel: '!', turns } } },
    user,
  );
  expect(await processorTimeUntil(sent)).toBeLessThan(6_000);
  expect((await sent).status).toBe(200);
});

it('the server survives a truncated body and requests that are not HTTP', async () => {
  const port = Number(new URL(server.origin).port);
  for (const text of [
    `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"qu`,
    'NOISE\r\n\r\n',
    'GET // HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    // Before this request is read, the text has been.
    expect((await server.post({ query: TURNS }, user)).status).toBe(200);
    socket.destroy();
  }
  expect((await server.post({ query: TURNS }, user)).status).toBe(200);
});

it('invalid GraphQL is answered with what is wrong with it', async () => {
  const ask = async (query: string, variables?: object) =>
    refusal(await server.post({ query, variables }, user));
  expect(await ask('{ viewer {')).toEqual([
    400,
    'GRAPHQL_PARSE_FAILED',
    'Syntax Error: Expected Name, found <EOF>.',
  ]);
  expect(await ask('{ vewer { id } }')).toEqual([
    400,
    'GRAPHQL_VALIDATION_FAILED',
    'Cannot query field "vewer" on type "Query". Did you mean "viewer" or "user"?',
  ]);
  expect(await ask('query A { viewer { id } } query B { viewer { id } }')).toEqual([
    400,
    'OPERATION_RESOLUTION_FAILURE',
    'Could not determine what operation to execute.',
  ]);
  const input = { channel: 'sms', turns: [{ text: 'Hi.', role: 'KING' }] };
  const allowed = 'Allowed: ASSISTANT, OTHER, SYSTEM, TOOL, USER.';
  for (let time = 0; time < 2; time++) {
    expect(await ask(REMEMBER, { input })).toEqual([
      400,
      'BAD_REQUEST',
      `Variable "$input" got invalid value "KING" at "input.turns[0].role"; Value "KING" does not exist in "Role" enum. ${allowed}`,
    ]);
    expect(
      await ask(
        'mutation { remember(input: {channel: "a", turns: [{text: "b", role: KING}]}) { __typename } }',
      ),
    ).toEqual([
      400,
      'GRAPHQL_VALIDATION_FAILED',
      `Value "KING" does not exist in "Role" enum. ${allowed}`,
    ]);
  }
});

it('the depth, cost, nesting and length of an operation are limited', async () => {
  const ask = async (query: string) => (await server.post({ query }, user)).body.errors?.[0];
  const deep = `{ viewer { threads(first: 1) { edges { node { turns(first: 1) { edges { node { thread {
    turns(first: 1) { edges { node { thread { turns(first: 1) { edges { node { id } } } } } } } } } } } } } } } }`;
  expect((await ask(deep))?.message).toMatch(/depth.*12/i);
  const costly = `{ viewer { threads { edges { node { turns { edges { node { thread { turns { edges { node {
    id number text channel role occurredAt } } } } } } } } } } } }`;
  expect((await ask(costly))?.message).toMatch(/complexity.*20000/i);
  for (const levels of [500, 1_000, 2_000, 4_000, 9_000]) {
    const nested = await ask('{viewer'.repeat(levels) + '}'.repeat(levels));
    expect(nested?.message).toMatch(/nested too deeply|^Cannot query field/);
  }
  const lists = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const body = `{ "query": ${JSON.stringify(REMEMBER)}, "variables": { "input": ${lists} } }`;
  expect((await server.post(body, user)).status).toBe(400);
  expect((await ask(`{ ${'viewer { id } '.repeat(9_000)} }`))?.message).toMatch(/20000 tokens/);
  expect((await server.post({ query: TURNS }, user)).status).toBe(200);
});

it('an invalid input is answered with a typed error for each problem, and nothing is stored', async () => {
  const remember = async (input: object) => {
    const answer = await server.post({ query: REMEMBER, variables: { input } }, user);
    return (answer.body.data as unknown as { remember: { code: string; issues: object[] } })
      .remember;
  };
  const turns = Array.from({ length: 501 }, () => ({ text: 'Hi.' }));
  expect(await remember({ channel: 'sms', turns })).toMatchObject({
    code: 'INVALID_INPUT',
    issues: [
      { path: 'input.turns', message: 'must hold at most 500 turns; send more in further calls' },
    ],
  });
  expect(
    await remember({
      channel: 'sms',
      turns: [{ text: 'ok' }, { text: '' }, { text: 'x'.repeat(1e6 + 1) }],
    }),
  ).toMatchObject({
    code: 'INVALID_INPUT',
    issues: expect.arrayContaining([
      { path: 'input.turns.1.text', message: 'must not be empty' },
      { path: 'input.turns.2.text', message: 'must be at most 1,000,000 characters' },
    ]),
  });
  const after = await server.post({ query: TURNS }, user);
  expect(after.body.data).toEqual({ viewer: null });
});

it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])(
  'the name %s is treated like any other name',
  async (name) => {
    const key = JSON.stringify(name);
    const turn = `{ "text": ${key}, "speaker": ${key}, "idempotencyKey": ${key}, "toolCalls": [{ "name": ${key}, "ok": true, "result": ${key} }] }`;
    const send = async (variables: string, query = REMEMBER) =>
      server.post(`{ "query": ${JSON.stringify(query)}, "variables": ${variables} }`, user);
    const stored = await send(
      `{ "input": { "channel": "sms", "turns": [${turn}] }, ${key}: { "polluted": 1 } }`,
    );
    expect(stored.body).toEqual({ data: { remember: { __typename: 'RememberPayload' } } });
    const within = await send(
      `{ "input": { "channel": "sms", "turns": [${turn}], ${key}: { "polluted": 1 } } }`,
    );
    expect(within.status).toBeLessThan(500);
    const asVariable = `query ($${name}: Int) { ${name}: viewer { turns(first: $${name}) { edges { node { ${name}: text } } } } }`;
    const { status, body } = await send(`{ ${key}: 1 }`, asVariable);
    expect(status).toBeLessThan(500);
    if (status === 200) expect(Object.keys(body.data ?? {})).toEqual([name]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  },
);
