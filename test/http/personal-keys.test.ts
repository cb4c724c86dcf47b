import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../src/auth/api-keys.ts';
import { keyFor } from '../support/keys.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

it('with a key that may write, a recall notes the facts that it gives', async () => {
  await sayAt(await server.world.user('reader'), '08:00', 'My name is Rhea.');
  await server.world.settle();
  const { post } = await keyFor(server, 'reader', 'WRITE');
  await post(`{ recall(input: { query: "What is my name?" }) { __typename } }`);
  const noted = async () => {
    const sql = 'SELECT 1 FROM facts WHERE last_accessed_at IS NOT NULL';
    return (await server.world.ctx.db.pool.query(sql)).rowCount;
  };
  await expect.poll(noted).toBe(1);
});

it('a WRITE key remembers, and neither forgets nor manages keys', async () => {
  const { post, client } = await keyFor(server, 'writer', 'WRITE');
  const turn = await sayAt(client, '08:00', 'I may write.');
  const forget = (preview: boolean) =>
    post(
      `mutation ($id: ID!, $preview: Boolean) { forget(input: { turnId: $id }, preview: $preview) { ... on Error { code message } } }`,
      {
        ...{ id: turn.id, preview },
      },
    );
  for (const preview of [true, false]) {
    expect((await forget(preview)).data).toMatchObject({
      forget: { code: 'FORBIDDEN', message: expect.stringContaining('access is WRITE') },
    });
  }
  const create = `mutation { createApiKey(name: "more") { ... on Error { code } } }`;
  expect((await post(create)).data).toEqual({ createApiKey: { code: 'FORBIDDEN' } });
  const all = await keyFor(server, null, 'WRITE');
  expect((await all.post(create)).data).toEqual({ createApiKey: { code: 'FORBIDDEN' } });
  expect((await all.post('{ apiKeys { id } }')).errors).toMatchObject([
    { extensions: { code: 'FORBIDDEN' } },
  ]);
  const owner = await keyFor(server, 'writer', 'ALL');
  const { data } = await owner.post(
    `mutation ($id: ID!) { forget(input: { turnId: $id }) { ... on ForgottenCounts { turns } } }`,
    { id: turn.id },
  );
  expect(data).toEqual({ forget: { turns: 1 } });
  expect((await owner.post(create)).data).toEqual({ createApiKey: { code: 'FORBIDDEN' } });
});

it("a key for one memory is bound to it: another user's is not found", async () => {
  const secret = await sayAt(
    await server.world.user('neighbour'),
    '08:00',
    'The neighbour has a heron.',
  );
  const { post, client } = await keyFor(server, 'bound', 'ALL');
  const own = await sayAt(client, '08:00', 'I have a pelican.');
  const look = `query ($userId: String, $id: ID!) { viewer { userId turnCount } user(userId: "neighbour") { turnCount }
    node(id: $id) { __typename } thread(id: $id) { id }
    recall(input: { userId: $userId, query: "heron", kinds: [TURN] }) {
      __typename ... on RecallPayload { hits { ... on TurnHit { turn { text } } } } } }`;
  const variables = { userId: 'neighbour', id: secret.id };
  expect((await post(look, variables)).data).toEqual({
    viewer: { userId: 'bound', turnCount: 1 },
    user: null,
    node: null,
    thread: null,
    recall: { __typename: 'NotFoundError' },
  });
  expect((await post(look, { id: own.id })).data).toMatchObject({ node: { __typename: 'Turn' } });
  const remember = `mutation { remember(input: { userId: "neighbour", turns: [{ text: "x" }] }) { ... on Error { code } } }`;
  expect((await post(remember)).data).toEqual({ remember: { code: 'NOT_FOUND' } });
  const forget = `mutation { forget(input: { everythingOf: "neighbour" }) { ... on Error { code } } }`;
  expect((await post(forget)).data).toEqual({ forget: { code: 'NOT_FOUND' } });
  for (const query of [
    '{ users { edges { node { userId } } } }',
    '{ deployment { users } }',
    '{ apiKeys { id } }',
    '{ embedding { name } }',
  ]) {
    expect((await post(query)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
  const { headers } = await keyFor(server, 'bound', 'ALL');
  expect((await fetch(`${server.origin}/export/neighbour`, { headers })).status).toBe(404);
  expect((await fetch(`${server.origin}/metrics`, { headers })).status).toBe(403);
});

it('a revoked key for one memory is refused at once', async () => {
  const { key, post } = await keyFor(server, 'revoked', 'WRITE');
  expect((await post('{ session { userId } }')).data).toEqual({ session: { userId: 'revoked' } });
  await revokeApiKey(server.world.ctx, key.id);
  expect((await post('{ session { userId } }')).errors).toMatchObject([
    { extensions: { code: 'UNAUTHENTICATED' } },
  ]);
});

it('createApiKey makes keys for one memory, and apiKeys lists what each permits', async () => {
  const { post } = await keyFor(server, null, 'ALL');
  const create = `mutation ($userId: String, $access: ApiKeyAccess) {
    createApiKey(name: "agent", userId: $userId, access: $access) {
      ... on CreatedApiKey { secret key { id name userId access } } ... on Error { code message } } }`;
  const { data } = await post(create, { userId: 'ada', access: 'READ' });
  const { key, secret } = (
    data as unknown as { createApiKey: { key: { id: string }; secret: string } }
  ).createApiKey;
  expect(key).toMatchObject({ name: 'agent', userId: 'ada', access: 'READ' });
  const own = await server.post(
    { query: '{ session { kind userId access keyName expiresAt } viewer { userId } }' },
    { authorization: `Bearer ${secret}` },
  );
  expect(own.body.data).toEqual({
    session: { kind: 'USER', userId: 'ada', access: 'READ', keyName: 'agent', expiresAt: null },
    viewer: null,
  });
  const { data: listed } = await post('{ apiKeys { id userId access } }');
  expect((listed as unknown as { apiKeys: object[] }).apiKeys).toContainEqual({
    ...{ id: key.id, userId: 'ada', access: 'READ' },
  });
  expect((await post(create, { userId: '' })).data).toMatchObject({
    createApiKey: { code: 'INVALID_INPUT' },
  });
  expect((await post(create)).data).toMatchObject({
    createApiKey: { key: { userId: null, access: 'ALL' } },
  });
});

it('a key for one memory counts as its user in rate limits', async () => {
  await using limited = await createTestServer({ RATE_LIMIT_USER: '3', RATE_LIMIT_KEY: '1000' });
  const secrets = await Promise.all(
    ['one', 'two'].map(
      async (name) =>
        (await createApiKey(limited.world.ctx, name, { userId: 'busy', access: 'READ' })).secret,
    ),
  );
  const statuses: number[] = [];
  for (const secret of [...secrets, ...secrets]) {
    const { status } = await limited.post(
      { query: '{ session { userId } }' },
      { authorization: `Bearer ${secret}` },
    );
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
});
