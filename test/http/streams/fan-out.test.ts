import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTurns } from '../../../src/http/streams/turns.ts';
import { say } from '../../support/samples/conversation.ts';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

const SUBSCRIPTIONS = 300;
const EVENTS = 'subscription { memoryEvents { number turns { text } } }';
type Told = { data?: { memoryEvents: { number: number; turns: { text: string }[] } } };

let server: TestServer;
let statements = 0;
beforeAll(async () => {
  server = await createTestServer(
    { MAX_SUBSCRIPTIONS: '200', MAX_SUBSCRIPTIONS_PER_USER: String(SUBSCRIPTIONS) },
    { observe: () => (statements += 1) },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

const subscribers = async () => {
  const text = await server.world.ctx.metrics.text();
  return Number(/^mnemograph_subscribers\{operation="memoryEvents"\} (\d+)/m.exec(text)?.[1] ?? 0);
};

/** So many subscriptions of a user on two WebSockets; gives what each has been told. */
async function follow(userId: string, count: number) {
  const credentials = await asUser(userId);
  const sockets = [server.socket(credentials), server.socket(credentials)];
  const open = Array.from({ length: count }, (_, index) => {
    const told: Told[] = [];
    const end = sockets[index % 2]?.subscribe<Told['data']>(
      { query: EVENTS },
      { next: (result) => told.push(result as Told), error: () => {}, complete: () => {} },
    );
    return { told, end: end as () => void };
  });
  await expect.poll(subscribers, { timeout: 20_000 }).toBe(count);
  return open;
}

it('an event for hundreds of subscriptions of one user is read once and sent to each', async () => {
  const open = await follow('ann', SUBSCRIPTIONS);
  statements = 0;
  await say(await server.world.user('ann'), { channel: 'sms', turns: [{ text: 'Hello, all.' }] });
  await expect
    .poll(() => open.filter(({ told }) => told.length === 2).length, { timeout: 20_000 })
    .toBe(SUBSCRIPTIONS);
  for (const { told } of open) {
    expect(told.map(({ data }) => data?.memoryEvents)).toEqual([
      { number: 1, turns: [] },
      { number: 2, turns: [{ text: 'Hello, all.' }] },
    ]);
  }
  expect(statements).toBeLessThan(SUBSCRIPTIONS);

  const more = await server
    .socket(await asUser('ann'))
    .iterate({ query: EVENTS })
    .next();
  expect(more.value).toMatchObject({
    errors: [
      {
        message: expect.stringContaining('MAX_SUBSCRIPTIONS_PER_USER'),
        extensions: { code: 'TOO_MANY_SUBSCRIPTIONS', retryable: true },
      },
    ],
  });
  for (const { end } of open) end();
  await expect.poll(subscribers, { timeout: 20_000 }).toBe(0);
  const again = await follow('ann', 2);
  for (const { end } of again) end();
});

it('subscriptions with different variables each get their own result', async () => {
  const credentials = await asUser('bob');
  const socket = server.socket(credentials);
  const query = `subscription ($is: Boolean!) {
    memoryEvents(kinds: [TURNS_REMEMBERED]) { kind @include(if: $is) number @skip(if: $is) } }`;
  const both = [true, false].map((is) => socket.iterate({ query, variables: { is } }).next());
  await expect.poll(subscribers).toBeGreaterThan(1);
  const bob = await server.world.user('bob');
  const told = Promise.all(both);
  const isTold = told.then(() => true);
  // One that is counted may begin to follow a moment later: it is told of the next message.
  const talk = async () => {
    await say(bob, { channel: 'sms', turns: [{ text: 'Hello.' }] });
    return Promise.race([isTold, new Promise((resolve) => setTimeout(resolve, 100, false))]);
  };
  await expect.poll(talk, { timeout: 20_000 }).toBe(true);
  expect((await told).map(({ value }) => value)).toEqual([
    { data: { memoryEvents: { kind: 'TURNS_REMEMBERED' } } },
    { data: { memoryEvents: { number: expect.any(Number) } } },
  ]);
});

it('the tasks of one user run two at a time, and do not delay those of other users', async () => {
  const turns = createTurns(2);
  const order: string[] = [];
  let atATime = 0;
  let most = 0;
  const work = (name: string) => async () => {
    atATime += 1;
    most = Math.max(most, atATime);
    await Promise.resolve();
    order.push(name);
    atATime -= 1;
  };
  const many = Array.from({ length: 40 }, (_, index) => turns.take('ann', work(`ann ${index}`)));
  setImmediate(() => void turns.take('bob', work('bob')));
  await Promise.all(many);
  expect(most).toBe(2);
  expect(order).toHaveLength(41);
  expect(order.indexOf('bob')).toBeLessThan(8);

  const fails = turns.take('ann', () => Promise.reject(new Error('once')));
  await expect(fails).rejects.toThrow('once');
  expect(await turns.take('ann', async () => 'and on')).toBe('and on');
});

it('the many watchers of one log are notified in small groups', async () => {
  const { publisher, watchers } = server.world.ctx;
  let looks = 0;
  const leave = Array.from({ length: 1_000 }, () =>
    watchers.add('cid', { seen: () => 0, look: () => (looks += 1) }),
  );
  publisher.publish('cid');
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(100);
  publisher.publish('cid');
  await vi.waitUntil(() => looks >= 1_000);
  for (const each of leave) each();
});
