import { buildSchema, parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRotation } from '../../../src/http/streams/rotation.ts';
import { type Subscribe, subscribeOfFanOut } from '../../support/network/fan-out.ts';
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
  await expect.poll(subscribers).toBe(count);
  return open;
}

it('an event for hundreds of subscriptions of one user is read once and sent to each', async () => {
  const open = await follow('ann', SUBSCRIPTIONS);
  statements = 0;
  await say(await server.world.user('ann'), { channel: 'sms', turns: [{ text: 'Hello, all.' }] });
  await expect.poll(() => open.filter(({ told }) => told.length === 2).length).toBe(SUBSCRIPTIONS);
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
  await expect.poll(subscribers).toBe(0);
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
  await expect.poll(talk).toBe(true);
  expect((await told).map(({ value }) => value)).toEqual([
    { data: { memoryEvents: { kind: 'TURNS_REMEMBERED' } } },
    { data: { memoryEvents: { number: expect.any(Number) } } },
  ]);
});

it('the tasks of one user run two at a time, and do not delay those of other users', async () => {
  const rotation = createRotation(2);
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
  const many = Array.from({ length: 40 }, (_, index) => rotation.take('ann', work(`ann ${index}`)));
  setImmediate(() => void rotation.take('bob', work('bob')));
  await Promise.all(many);
  expect(most).toBe(2);
  expect(order).toHaveLength(41);
  expect(order.indexOf('bob')).toBeLessThan(8);

  const fails = rotation.take('ann', () => Promise.reject(new Error('once')));
  await expect(fails).rejects.toThrow('once');
  expect(await rotation.take('ann', async () => 'and on')).toBe('and on');
});

/** Subscribes a user to one event. Each subscription has other variables, so that it shares no result. */
function listenTo(
  subscribe: Subscribe,
  { userId, told }: { userId: string; told: () => AsyncIterable<object> | Promise<object> },
) {
  const schema = buildSchema('type Query { n: Int } type Subscription { told(n: Int): Int }');
  const document = parse('subscription ($n: Int) { told(n: $n) }');
  const viewer = { kind: 'user', userId };
  const contextValue = { viewer, answer: { finish: () => false, refusal: null } };
  return async (n: number) => {
    const args = { schema, document, contextValue, rootValue: { told }, variableValues: { n } };
    return (await subscribe(args)).next();
  };
}

/** Work of Ann and Bob that goes on until it is ended, and how many pieces of Ann's run at a time until all is done. */
function createWork() {
  const running: { userId: string; end: () => void }[] = [];
  const settled = async () => {
    for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
    return running.splice(0);
  };
  return {
    of: (userId: string) => () =>
      new Promise<number>((resolve) => running.push({ userId, end: () => resolve(1) })),
    async countAtATime() {
      const counts: [ann: number, bob: number][] = [];
      for (let begun = await settled(); begun.length > 0; begun = await settled()) {
        const ofAnn = begun.filter(({ userId }) => userId === 'ann').length;
        counts.push([ofAnn, begun.length - ofAnn]);
        for (const { end } of begun) end();
      }
      return counts;
    },
  };
}

it('an event is told to eight subscriptions of a user at a time, and meanwhile to those of others', async () => {
  const subscribe = subscribeOfFanOut();
  const work = createWork();
  const listen = (userId: string) =>
    listenTo(subscribe, {
      userId,
      async *told() {
        yield { userId, told: work.of(userId) };
      },
    });
  const [ann, bob] = [listen('ann'), listen('bob')];
  const all = [...Array.from({ length: 20 }, (_, n) => ann(n)), bob(0)];
  expect(await work.countAtATime()).toEqual([
    [8, 1],
    [8, 0],
    [4, 0],
  ]);
  const told = { done: false, value: { data: { told: 1 } } };
  expect(await Promise.all(all)).toEqual(Array(21).fill(told));
});

it('eight subscriptions of a user are begun at a time, and meanwhile those of others', async () => {
  const subscribe = subscribeOfFanOut();
  const work = createWork();
  const begin = (userId: string) =>
    listenTo(subscribe, {
      userId,
      async told() {
        await work.of(userId)();
        return (async function* () {})();
      },
    });
  const [ann, bob] = [begin('ann'), begin('bob')];
  const all = [...Array.from({ length: 20 }, (_, n) => ann(n)), bob(0)];
  expect(await work.countAtATime()).toEqual([
    [8, 1],
    [8, 0],
    [4, 0],
  ]);
  expect(await Promise.all(all)).toEqual(Array(21).fill({ done: true, value: undefined }));
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
  await expect.poll(() => looks).toBeGreaterThanOrEqual(1_000);
  for (const each of leave) each();
});
