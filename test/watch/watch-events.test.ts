import { afterEach, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { isOnServer } from '../support/database/database.ts';
import { say } from '../support/samples/conversation.ts';
import { asUser, createTestServer, serve, type TestServer } from '../support/server.ts';
import type { Client } from '../support/world.ts';

const EVENTS = `subscription ($after: String) {
  memoryEvents(after: $after) { number cursor kind turns { text } } }`;
type Live = { number: number; cursor: string; kind: string; turns: { text: string }[] };
type Served = Pick<TestServer, 'socket' | 'stream'>;

const CALLS = 60;

afterEach(() => {
  vi.useRealTimers();
});

/** Tells a memory many things, several at a time. */
async function pour(clients: Client[]): Promise<string[]> {
  const texts = Array.from({ length: CALLS }, (_, index) => `Turn ${index}.`);
  const waiting = [...texts];
  const lane = async (client: Client) => {
    for (let text = waiting.pop(); text; text = waiting.pop()) {
      await say(client, { channel: 'sms', turns: [{ text }] });
    }
  };
  await Promise.all([...clients, ...clients].map(lane));
  return texts;
}

/** Up to some events behind a cursor; then hangs up in the middle. */
async function some(
  served: Served,
  after: string,
  most: number,
  byStream: boolean,
): Promise<Live[]> {
  const body = { query: EVENTS, variables: { after } };
  const seen: Live[] = [];
  const keep = (result: unknown) =>
    seen.push((result as { data: { memoryEvents: Live } }).data.memoryEvents);
  if (byStream) {
    await using stream = await served.stream(body, await asUser('ann'));
    while (seen.length < most) keep(await stream.next());
    return seen;
  }
  const events = served.socket(await asUser('ann')).iterate(body);
  while (seen.length < most) keep((await events.next()).value);
  await events.return?.();
  return seen;
}

/** Reads on through disconnections, at one server after the other, until all texts have come. */
async function follow(servers: Served[], texts: number): Promise<Live[]> {
  const seen: Live[] = [];
  let after = Buffer.from('event:0:ann').toString('base64url');
  let connections = 0;
  const told = () => seen.flatMap((event) => event.turns).length;
  while (told() < texts) {
    const served = servers[connections++ % servers.length] as Served;
    const most = Math.min(1 + (connections % 4), texts - told());
    seen.push(...(await some(served, after, most, connections % 3 === 0)));
    after = (seen.at(-1) as Live).cursor;
  }
  expect(connections).toBeGreaterThan(15);
  return seen;
}

function expectWhole(seen: Live[], texts: string[]) {
  expect(seen.map((event) => event.number)).toEqual(seen.map((_, index) => index + 1));
  const words = seen.flatMap((event) => event.turns.map((turn) => turn.text));
  expect(words.sort()).toEqual([...texts].sort());
}

it('a subscriber that keeps reconnecting misses nothing and sees nothing twice', async () => {
  await using server = await createTestServer();
  const client = await server.world.user('ann');
  await say(client, { channel: 'sms', turns: [{ text: 'First.' }] });
  const [texts, seen] = await Promise.all([pour([client, client]), follow([server], CALLS + 1)]);
  expectWhole(seen, [...texts, 'First.']);
});

/** Another process on the database of a server. */
function openSecond(server: TestServer): Promise<App> {
  const { config, db, clock } = server.world.ctx;
  const { connectionString } = db.pool.options;
  const connection = {
    connection: { connectionString: connectionString as string },
    embedded: false,
  };
  return createApp(config, { connection, clock });
}

it.runIf(isOnServer)(
  'a subscriber that alternates between two servers on one database misses nothing and sees nothing twice',
  async () => {
    await using server = await createTestServer();
    await using second = await openSecond(server);
    const other = await serve(second);
    const client = await server.world.user('ann');
    await say(client, { channel: 'sms', turns: [{ text: 'First.' }] });
    const [texts, seen] = await Promise.all([
      pour([client, client]),
      follow([other, server], CALLS + 1),
    ]);
    expectWhole(seen, [...texts, 'First.']);
    await other.stop();
  },
);

it.runIf(isOnServer)(
  'a subscriber is notified at once of what another server on the database has stored',
  async () => {
    await using server = await createTestServer();
    const client = await server.world.user('ann');
    await say(client, { channel: 'sms', turns: [{ text: 'First.' }] });
    // Without the poll that makes up for lost notifications.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using second = await openSecond(server);
    const other = await serve(second);
    const after = Buffer.from('event:0:ann').toString('base64url');
    const events = other
      .socket(await asUser('ann'))
      .iterate({ query: EVENTS, variables: { after } });
    const told = async () => (await events.next()).value?.data as { memoryEvents: Live };
    let event = await told();
    while (event.memoryEvents.turns.length === 0) event = await told();
    expect(event.memoryEvents.turns).toEqual([{ text: 'First.' }]);
    const next = told();
    await say(client, { channel: 'sms', turns: [{ text: 'Last.' }] });
    expect((await next).memoryEvents.turns).toEqual([{ text: 'Last.' }]);
    await events.return?.();
    await other.stop();
  },
);
