import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createApiKey, revokeApiKey } from '../../src/auth/api-keys.ts';
import { say } from '../support/samples/conversation.ts';
import { asUser, closedWith, createTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
const watchers = new Set<unknown>();
beforeAll(async () => {
  server = await createTestServer({}, {}, (ctx) => ({
    ...ctx,
    watchers: {
      ...ctx.watchers,
      add: (userId, watcher) => {
        const leave = ctx.watchers.add(userId, watcher);
        watchers.add(watcher);
        return () => {
          watchers.delete(watcher);
          leave();
        };
      },
    },
  }));
});
afterAll(() => server[Symbol.asyncDispose]());

const EVENTS = `subscription ($after: String, $userId: String) {
  memoryEvents(after: $after, userId: $userId) { number cursor kind turns { text } } }`;
type Live = { number: number; cursor: string; kind: string; turns: { text: string }[] };
const eventOf = (result: unknown) => (result as { data: { memoryEvents: Live } }).data.memoryEvents;

const tell = async (userId: string, text: string) =>
  say(await server.world.user(userId), { channel: 'sms', turns: [{ text }] });

/** Waits until no subscription of a gone client is served any more. */
const quiet = () => expect.poll(() => watchers.size).toBe(0);

it('subscriptions, queries and mutations work over WebSocket', async () => {
  const socket = server.socket(await asUser('ann'));
  const events = socket.iterate({ query: EVENTS });
  const first = events.next();
  await expect.poll(() => watchers.size).toBe(1);
  const input = '{ channel: "sms", turns: [{ text: "Over the wire." }] }';
  const told = socket.iterate({
    query: `mutation { remember(input: ${input}) { __typename } }`,
  });
  expect((await told.next()).value).toEqual({
    data: { remember: { __typename: 'RememberPayload' } },
  });
  const asked = socket.iterate({ query: '{ viewer { userId turnCount } }' });
  expect((await asked.next()).value).toEqual({ data: { viewer: { userId: 'ann', turnCount: 1 } } });

  await tell('bob', "Somebody else's.");
  const seen = [eventOf((await first).value), eventOf((await events.next()).value)];
  expect(seen).toMatchObject([
    { number: 1, kind: 'THREAD_OPENED' },
    { number: 2, kind: 'TURNS_REMEMBERED', turns: [{ text: 'Over the wire.' }] },
  ]);
  await events.return?.();
  await quiet();
});

it('subscriptions work as server-sent events, with heartbeats', async () => {
  await tell('carl', 'Before.');
  const stream = await server.stream({ query: EVENTS }, await asUser('carl'));
  expect(stream.status).toBe(200);
  const next = stream.next();
  await expect.poll(() => stream.heartbeats()).toBeGreaterThan(1);
  await tell('carl', 'After.');
  const event = eventOf(await next);
  expect(event).toMatchObject({ number: 3, turns: [{ text: 'After.' }] });
  await stream[Symbol.asyncDispose]();
  await quiet();

  await tell('carl', 'Meanwhile.');
  const variables = { after: event.cursor };
  const resumed = await server.stream({ query: EVENTS, variables }, await asUser('carl'));
  expect(eventOf(await resumed.next())).toMatchObject({
    number: 4,
    turns: [{ text: 'Meanwhile.' }],
  });
  await resumed[Symbol.asyncDispose]();
  await quiet();
});

it('credentials in the upgrade request are accepted, too', async () => {
  const { authorization } = await asUser('ann');
  const socket = server.socket(
    {},
    {
      webSocketImpl: class extends WebSocket {
        constructor(url: string, protocol: string) {
          super(url, protocol, { headers: { authorization } });
        }
      },
    },
  );
  const { value } = await socket.iterate({ query: '{ viewer { userId } }' }).next();
  expect(value).toEqual({ data: { viewer: { userId: 'ann' } } });
});

it('a WebSocket with wrong credentials is closed with code 4403 and the reason', async () => {
  const { ctx } = server.world;
  const { key, secret } = await createApiKey(ctx, 'short-lived');
  expect(await closedWith(server, {})).toEqual([
    4403,
    'Send "Authorization: Bearer <API key or user token>".',
  ]);
  expect(await closedWith(server, {}, { authorization: 'Bearer mnemo_no' })).toEqual([
    4403,
    'This API key does not exist or was revoked.',
  ]);
  expect(await closedWith(server, await asUser('ann', '-1m'))).toEqual([
    4403,
    expect.stringContaining('This user token is not valid: "exp" claim'),
  ]);

  const socket = server.socket({ Authorization: `Bearer ${secret}` });
  const closed = new Promise<CloseEvent>((resolve) => socket.on('closed', resolve as never));
  const events = socket.iterate({ query: EVENTS, variables: { userId: 'ann' } });
  const next = events.next().catch((error) => error);
  await expect.poll(() => watchers.size).toBe(1);
  await revokeApiKey(ctx, key.id);
  expect(await closed).toMatchObject({ code: 4403 });
  await next;
  await quiet();
});

it('a subscription ends at once when its credentials are revoked', async () => {
  const { key, secret } = await createApiKey(server.world.ctx, 'short-lived');
  const body = { query: EVENTS, variables: { userId: 'fay' } };
  const stream = await server.stream(body, { authorization: `Bearer ${secret}` });
  await tell('fay', 'Before.');
  expect(eventOf(await stream.next()).kind).toBe('THREAD_OPENED');
  expect(eventOf(await stream.next()).turns).toEqual([{ text: 'Before.' }]);
  await revokeApiKey(server.world.ctx, key.id);
  expect(await stream.next()).toMatchObject({
    errors: [{ message: 'This API key does not exist or was revoked.' }],
  });
  expect(await stream.next()).toBeNull();
  await quiet();
});

it('an invalid operation is answered with its errors, and the connection stays open', async () => {
  const socket = server.socket(await asUser('ann'));
  const fails = (query: string, variables = {}) =>
    socket
      .iterate({ query, variables })
      .next()
      .then(
        ({ value }) => (value as { errors: { message: string; extensions?: object }[] }).errors,
        (errors: { message: string; extensions?: object }[]) => errors,
      );
  let connections = 0;
  socket.on('connected', () => connections++);
  const keep = socket.iterate({ query: EVENTS });
  const event = keep.next();
  await expect.poll(() => watchers.size).toBe(1);
  expect(await fails('{ viewer {')).toMatchObject([
    { message: 'Syntax Error: Expected Name, found <EOF>.' },
  ]);
  expect(await fails('{ vewer { id } }')).toMatchObject([
    { message: expect.stringContaining('Cannot query field "vewer"') },
  ]);
  expect(
    await fails('query ($n: Int!) { viewer { turns(first: $n) { edges { cursor } } } }'),
  ).toMatchObject([
    { message: expect.stringContaining('"$n" of required type "Int!" was not provided') },
  ]);
  expect(await fails(EVENTS, { userId: 'bob' })).toMatchObject([
    {
      message: 'There is no user "bob".',
      extensions: { code: 'NOT_FOUND' },
      path: ['memoryEvents'],
    },
  ]);
  await tell('ann', 'Still here.');
  expect(eventOf((await event).value).kind).toMatch(/^TURNS_REMEMBERED|THREAD_OPENED$/);
  expect(connections).toBe(1);
  await keep.return?.();
});

it('cursors of another log, invalid and expired ones are refused over WebSocket and SSE', async () => {
  await tell('dora', 'Hello.');
  await tell('eve', 'Hello.');
  const cursorOf = async (userId: string) => {
    const stream = await server.stream(
      {
        query: EVENTS,
        variables: { after: Buffer.from(`event:0:${userId}`).toString('base64url') },
      },
      await asUser(userId),
    );
    const { cursor } = eventOf(await stream.next());
    await stream[Symbol.asyncDispose]();
    return cursor;
  };
  const refusals = async (userId: string, after: string) => {
    const params = await asUser(userId);
    const body = { query: EVENTS, variables: { after } };
    const stream = await server.stream(body, params);
    const byStream = (await stream.next()) as unknown as { errors: { extensions: object }[] };
    expect(await stream.next()).toBeNull();
    const { value } = await server.socket(params).iterate(body).next();
    expect(JSON.stringify((value as { errors: object[] }).errors)).toBe(
      JSON.stringify(byStream.errors),
    );
    return byStream.errors;
  };
  const invalid = [
    {
      message:
        'This cursor does not belong to this user\'s events. Leave "after" out to start from now.',
      path: ['memoryEvents'],
      extensions: { code: 'CURSOR_INVALID' },
    },
  ];
  expect(await refusals('dora', await cursorOf('eve'))).toMatchObject(invalid);
  for (const cursor of ['', 'garbage', '💥', Buffer.from('event:999:dora').toString('base64url')]) {
    expect(await refusals('dora', cursor)).toMatchObject(invalid);
  }

  const old = await cursorOf('dora');
  await server.world.settle();
  server.world.now = new Date('2026-09-02T09:00:00Z');
  await server.world.settle();
  expect(await refusals('dora', old)).toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }]);
  await quiet();
});
