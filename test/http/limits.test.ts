import { once } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { addressOf } from '../../src/http/requests/address.ts';
import { say } from '../support/samples/conversation.ts';
import { type Answer, accepted, asUser, closedWith, createTestServer } from '../support/server.ts';

const VIEWER = { query: '{ viewer { turnCount } }' };
const EVENTS = 'subscription { memoryEvents { number turns { text } } }';
const FROM_START = 'subscription { memoryEvents(fromStart: true) { number } }';
const NO_SUBSCRIBERS = /^mnemograph_subscribers\{operation="memoryEvents"\} 0$/m;

afterEach(() => {
  vi.useRealTimers();
});

/** What the first error of an answer says to programs. */
const told = ({ status, headers, body }: Answer) => ({
  status,
  retryAfter: headers.get('retry-after'),
  ...body.errors?.[0]?.extensions,
});

it('an operation with too many fields at its top is refused, whatever their aliases', async () => {
  await using server = await createTestServer({ MAX_ROOT_FIELDS: '3' });
  const ask = async (query: string) => server.post({ query }, await asUser('ann'));
  expect((await ask('{ a: viewer { id } b: viewer { id } c: viewer { id } }')).status).toBe(200);
  for (const query of [
    '{ a: viewer { id } b: viewer { id } c: viewer { id } d: viewer { id } }',
    'query { ...F ... { d: viewer { id } } } fragment F on Query { a: viewer { id } ...G } fragment G on Query { b: viewer { id } c: viewer { id } }',
  ]) {
    const answer = await ask(query);
    expect(told(answer)).toMatchObject({ status: 400, code: 'TOO_MANY_ROOT_FIELDS' });
    expect(answer.body.errors?.[0]?.message).toMatch(/asks for 4 fields at its top.*; 3 are/);
  }
});

it('the operations of each user and key are limited over HTTP, SSE and WebSocket together', async () => {
  await using server = await createTestServer({ RATE_LIMIT_USER: '4', RATE_LIMIT_KEY: '2' });
  const ann = await asUser('ann');
  expect((await server.post({ query: '{ a: viewer { id } b: viewer { id } }' }, ann)).status).toBe(
    200,
  );
  const socket = server.socket(ann);
  expect(await socket.iterate(VIEWER).next()).toMatchObject({ value: { data: {} } });
  await using stream = await server.stream({ query: EVENTS }, ann);
  expect(stream.status).toBe(200);

  const answer = await server.post(VIEWER, ann);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(50);
  expect(told(answer)).toEqual({
    status: 429,
    code: 'RATE_LIMITED',
    retryable: true,
    retryAfter: seconds,
  });
  expect(answer.body.errors?.[0]?.message).toMatch(
    /^More than 4 operations of this user a minute\. Try again in \d+ s\.$/,
  );
  const limited = { errors: [{ extensions: { code: 'RATE_LIMITED' } }] };
  expect((await socket.iterate(VIEWER).next()).value).toMatchObject(limited);
  expect((await socket.iterate({ query: EVENTS }).next()).value).toMatchObject(limited);
  const refused = await server.post({ query: EVENTS }, { ...ann, accept: 'application/json' });
  expect(refused.status).not.toBe(200);

  expect((await server.post(VIEWER, await asUser('bob'))).status).toBe(200);
  const { secret } = await createApiKey(server.world.ctx, 'app');
  const byKey = { authorization: `Bearer ${secret}` };
  const keys = { query: '{ apiKeys { id } }' };
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await server.post(keys, byKey)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('wrong credentials are limited by address, and right ones still pass', async () => {
  await using server = await createTestServer({ RATE_LIMIT_FAILED_AUTH: '3' });
  const { secret } = await createApiKey(server.world.ctx, 'app');
  const { secret: unused } = await createApiKey(server.world.ctx, 'other');
  const byKey = (key: string) => ({ authorization: `Bearer ${key}` });
  const keys = { query: '{ apiKeys { id } }' };
  expect((await server.post(keys, byKey(secret))).status).toBe(200);
  const guess = async () => told(await server.post(VIEWER, byKey('mnemo_guess')));
  for (let time = 0; time < 3; time += 1) expect(await guess()).toMatchObject({ status: 401 });
  expect(await guess()).toMatchObject({ status: 429, code: 'RATE_LIMITED', retryable: true });
  expect((await server.post(keys, byKey(unused))).status).toBe(200);
  expect((await server.post(keys, byKey(secret))).status).toBe(200);
  const metrics = await fetch(`${server.origin}/metrics`, { headers: byKey('mnemo_guess') });
  expect([metrics.status, Number(metrics.headers.get('retry-after'))]).toEqual([
    429,
    expect.any(Number),
  ]);
  expect(await closedWith(server, byKey('mnemo_guess'))).toEqual([
    1013,
    expect.stringMatching(/^More than 3 wrong credentials from this address a minute/),
  ]);
});

it('the address of the caller is taken from trusted proxies only', () => {
  const request = (forwarded?: string) =>
    ({ socket: { remoteAddress: 'peer' }, headers: { 'x-forwarded-for': forwarded } }) as never;
  expect(addressOf(request('lie, client'), 0)).toBe('peer');
  expect(addressOf(request('lie, client'), 1)).toBe('client');
  expect(addressOf(request('lie, client, proxy'), 2)).toBe('client');
  expect(addressOf(request(), 1)).toBe('peer');
});

it('the WebSockets and event streams of a user are limited, and a closed one frees its place', async () => {
  await using server = await createTestServer({ MAX_STREAMS_PER_USER: '2' });
  const ann = await asUser('ann');
  const socket = server.socket(ann, { lazy: false, onNonLazyError: () => {} });
  await new Promise((resolve) => socket.on('connected', resolve));
  const stream = await server.stream({ query: EVENTS }, ann);
  expect(await closedWith(server, ann)).toEqual([
    1013,
    'This caller has 2 open WebSockets and event streams already: close some.',
  ]);
  await using third = await server.stream({ query: EVENTS }, ann);
  expect(await third.next()).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_STREAMS', retryable: true } }],
  });
  await using _others = await server.stream({ query: EVENTS }, await asUser('bob'));
  await stream[Symbol.asyncDispose]();
  await say(await server.world.user('ann'), { channel: 'sms', turns: [{ text: 'Hello.' }] });
  await expect
    .poll(async () => {
      await using again = await server.stream({ query: FROM_START }, ann);
      return await again.next();
    })
    .toMatchObject({ data: { memoryEvents: { number: 1 } } });
});

it('the running operations of a WebSocket are limited', async () => {
  await using server = await createTestServer({ MAX_SUBSCRIPTIONS: '2' });
  const socket = server.socket(await asUser('ann'));
  const open = [1, 2].map(() => socket.iterate({ query: EVENTS }));
  const waiting = open.map((events) => events.next().catch(() => undefined));
  await expect(socket.iterate(VIEWER).next()).rejects.toMatchObject([
    {
      message: expect.stringContaining('has 2 running operations already'),
      extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' },
    },
  ]);
  await open[0]?.return?.();
  await expect
    .poll(() =>
      socket
        .iterate(VIEWER)
        .next()
        .catch(() => null),
    )
    .toMatchObject({ value: { data: {} } });
  await open[1]?.return?.();
  await Promise.all(waiting);
});

it.each(['variables', 'extensions'])(
  'a subscription with more than 10 kB of %s is refused, and a query is not',
  async (what) => {
    await using server = await createTestServer();
    const ann = await asUser('ann');
    const sent = (query: string, length: number) => ({
      query,
      [what]: { pad: 'x'.repeat(length) },
    });
    const refused = {
      errors: [
        {
          message: expect.stringContaining('10,000 bytes'),
          extensions: { code: 'VARIABLES_TOO_LARGE' },
        },
      ],
    };
    const large = sent(EVENTS, 10_000);
    const socket = server.socket(ann);
    expect((await socket.iterate(large).next()).value).toMatchObject(refused);
    await using stream = await server.stream(large, ann);
    expect(await stream.next()).toMatchObject(refused);
    expect((await server.post(sent(VIEWER.query, 10_000), ann)).status).toBe(200);
    await say(await server.world.user('ann'), { channel: 'sms', turns: [{ text: 'Hello.' }] });
    const small = socket.iterate(sent(FROM_START, 9_000));
    expect((await small.next()).value).toMatchObject({ data: { memoryEvents: { number: 1 } } });
    await small.return?.();
  },
);

it('a WebSocket and an event stream end when their token expires', async () => {
  await using server = await createTestServer();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  const ann = await asUser('ann', '20s');
  const stream = await server.stream({ query: EVENTS }, ann);
  const { closed } = await accepted(server, ann);
  const ended = vi.fn();
  const ends = [stream.next().finally(ended), closed.finally(ended)] as const;
  // The time of a token has no fractions of a second.
  await vi.advanceTimersByTimeAsync(18_000);
  await server.post(VIEWER, ann);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await ends[0]).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect(await stream.next()).toBeNull();
  expect(await ends[1]).toEqual([4403, expect.stringContaining('"exp" claim')]);
});

it('a client that leaves too much unread is disconnected and told to resume after the last cursor', async () => {
  using closing = vi.spyOn(WebSocket.prototype, 'close');
  await using server = await createTestServer({ MAX_UNREAD_BYTES: '1000' });
  const ann = await asUser('ann');
  const client = new WebSocket(
    `${server.origin.replace('http', 'ws')}/graphql`,
    'graphql-transport-ws',
  );
  await once(client, 'open');
  client.send(JSON.stringify({ type: 'connection_init', payload: ann }));
  await once(client, 'message');
  const subscribe = { type: 'subscribe', id: '1', payload: { query: EVENTS } };
  client.send(JSON.stringify(subscribe));
  await using stream = await server.stream({ query: EVENTS }, ann);
  client.pause();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });

  const long = 'word '.repeat(19_000);
  const user = await server.world.user('ann');
  for (let call = 0; call < 12; call += 1) {
    const turns = Array.from({ length: 12 }, (_, turn) => ({ text: `${call}.${turn} ${long}` }));
    await say(user, { channel: 'sms', turns });
  }
  // Far more is on its way than the sockets of both sides hold.
  const closes = () => {
    vi.advanceTimersByTime(1_000);
    return closing.mock.calls.map(([code]) => code);
  };
  await expect.poll(closes).toContain(1013);
  client.resume();
  const [code, reason] = await once(client, 'close');
  expect([code, String(reason)]).toEqual([
    1013,
    'Too much was left unread. Reconnect and resume after the last cursor.',
  ]);
  await expect.poll(() => server.world.ctx.metrics.text()).toMatch(NO_SUBSCRIBERS);
  const read = async () => {
    for (;;) if ((await stream.next()) === null) return;
  };
  await expect(read()).rejects.toThrow();
});
