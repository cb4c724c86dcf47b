import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
let closed: TestServer;
const clients: Client[] = [];
beforeAll(async () => {
  server = await createTestServer(OPEN);
  closed = await createTestServer();
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

/** Even on a busy machine. */
const SOON = { timeout: 60_000, interval: 20 };
const WITHIN = { timeout: 60_000 };

/** A client that collects what it is told: the resources that changed, and `list` for other resources. */
async function listener(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
  mode: 'legacy' | 'auto',
) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const told: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri);
  });
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    told.push('list');
  });
  await client.connect(transport);
  clients.push(client);
  return { client, told };
}

const overHttp = ({ origin }: TestServer, headers: Record<string, string> = {}) =>
  new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } });
const overStdio = ({ origin }: TestServer) =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--import', 'tsx', 'src/cli/mcp.ts', '--url', origin],
  });
const bearer = async (userId: string) => ({ authorization: `Bearer ${await userToken(userId)}` });

const remember = async (client: Client, text: string) => {
  const { structuredContent } = await client.callTool({ name: 'remember', arguments: { text } });
  return structuredContent as { ids: string[]; thread: string };
};
const uriOf = (thread: string) => `memory://thread/${encodeURIComponent(thread)}`;

it(
  'a host of 2026 that listens over HTTP is told what changed in its own memory, and nothing else',
  WITHIN,
  async () => {
    const { client, told } = await listener(overHttp(closed, await bearer('listening')), 'auto');
    const other = await listener(overHttp(closed, await bearer('other')), 'auto');
    const first = await remember(client, 'I have a canary.');
    const uri = uriOf(first.thread);
    const always = ['memory://profile', 'memory://recent'];
    const all = { resourcesListChanged: true, resourceSubscriptions: [uri, ...always] };
    const heard = await client.listen(all);
    const others = await other.client.listen({ ...all, toolsListChanged: true });
    await remember(client, 'It is called Kiwi.');
    await expect.poll(() => told, SOON).toContain(uri);
    expect(told).not.toContain('list');
    expect(other.told).toEqual([]);
    await closed.world.settle();
    await client.callTool({
      name: 'forget',
      arguments: { kind: 'thread', id: first.thread, confirm: true },
    });
    await expect.poll(() => told, SOON).toContain('list');
    expect(told).toEqual(expect.arrayContaining(always));
    const before = told.length;
    await heard.close();
    await remember(client, 'I am going to bed.');
    expect(told.length).toBe(before);
    await others.close();
  },
);

it(
  'a host may listen to a thousand resources at most, and is told once of one that it names twice',
  WITHIN,
  async () => {
    const { client, told } = await listener(overHttp(closed, await bearer('many')), 'auto');
    const uris = Array.from({ length: 1_001 }, (_, index) => `memory://thread/${index}`);
    await expect(client.listen({ resourceSubscriptions: uris })).rejects.toThrow(
      'A host may listen to 1,000 resources at most, not to 1,001.',
    );
    const { thread } = await remember(client, 'I have a goose.');
    const uri = uriOf(thread);
    const twice = [...uris.slice(0, 998), uri, uri];
    const heard = await client.listen({ resourceSubscriptions: twice });
    await remember(client, 'It guards the yard.');
    await expect.poll(() => told, SOON).toContain(uri);
    await remember(client, 'It is called Greta.');
    await expect.poll(() => told.length, SOON).toBeGreaterThan(1);
    // Of two sayings.
    expect(told).toEqual([uri, uri]);
    await heard.close();
  },
);

it('a host of 2025 is told over HTTP that changes are not announced there', WITHIN, async () => {
  const { client } = await listener(overHttp(closed, await bearer('legacy')), 'legacy');
  const { resources } = client.getServerCapabilities() ?? {};
  expect(resources).toMatchObject({ subscribe: false, listChanged: false });
  await expect(client.subscribeResource({ uri: 'memory://recent' })).rejects.toThrow();
});

describe.each(['legacy', 'auto'] as const)('over stdio, a host of the era %s', (mode) => {
  it(
    'a host over stdio is told of the threads to which it subscribed, and of new ones',
    WITHIN,
    async () => {
      const { client, told } = await listener(overStdio(server), mode);
      const { thread } = await remember(client, 'I have a parrot.');
      const uri = uriOf(thread);
      if (mode === 'legacy') await client.subscribeResource({ uri });
      else await client.listen({ resourcesListChanged: true, resourceSubscriptions: [uri] });
      // The command begins to follow the memory a little after it has begun to answer.
      const say = () => remember(client, 'It talks.').then(() => told);
      await expect.poll(say, SOON).toContain(uri);
      expect(new Set(told.filter((each) => each !== 'list'))).toEqual(new Set([uri]));
      await server.post({
        query: `mutation { remember(input: { channel: "web", newThread: {}, turns: [{ text: "A new one." }] }) { __typename } }`,
      });
      await expect.poll(() => told, SOON).toContain('list');
    },
  );
});

it(
  'the prompt "continue" brings the running thread, or the one that is named',
  WITHIN,
  async () => {
    const { client } = await listener(overHttp(closed, await bearer('continuing')), 'auto');
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['continue']);
    const { thread } = await remember(client, 'The boat is called Petrel, and its mast is broken.');
    await closed.world.settle();
    const textOf = async (args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name: 'continue', arguments: args });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join();
    };
    expect(await textOf({})).toContain('Petrel');
    expect(await textOf({ thread })).toContain('Petrel');
    await expect(textOf({ thread: 'nonsense' })).rejects.toThrow();
  },
);

it('the latest threads are listed as resources', WITHIN, async () => {
  const { client } = await listener(overHttp(closed, await bearer('listing')), 'auto');
  const { thread } = await remember(client, 'The garden needs water.');
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'memory://profile',
    'memory://recent',
    uriOf(thread),
  ]);
  const { contents } = await client.readResource({ uri: uriOf(thread) });
  expect(contents[0]).toMatchObject({ text: expect.stringContaining('garden') });
});
