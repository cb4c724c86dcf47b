import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyFor } from '../support/keys.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const docs = await readFile('docs/mcp.md', 'utf8');
const readme = await readFile('README.md', 'utf8');
const LINE = /^claude mcp add --transport http mnemograph (\S+)$/gm;
type Host = { command?: string; args?: string[]; url?: string };
const hosts = [...docs.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']) => JSON.parse(text).mcpServers.mnemograph as Host,
);

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Connects as the settings of docs/mcp.md say, to the server of this test. */
function transportOf({ url, command, args = [] }: Host) {
  const here = (text: string) => text.replace('http://localhost:4000', server.origin);
  if (url) return new StreamableHTTPClientTransport(new URL(here(url)));
  expect([command, args[0]]).toEqual(['mnemograph', 'mcp']);
  const run = ['--import', 'tsx', 'src/cli/mcp.ts', ...args.slice(1).map(here)];
  return new StdioClientTransport({ command: process.execPath, args: run });
}

it('the lines of README and docs/mcp.md name the endpoint', () => {
  const addresses = [readme, docs].map((text) => [...text.matchAll(LINE)].map(([, url]) => url));
  expect(addresses).toEqual([[hosts[0]?.url], [hosts[0]?.url]]);
});

it('MCP keeps 2 × 20 writes that come at once over HTTP and over stdio, connected as docs/mcp.md says', async () => {
  expect(hosts).toHaveLength(2);
  const clients = await Promise.all(
    hosts.map(async (host) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transportOf(host));
      return client;
    }),
  );
  const answers = await Promise.all(
    clients.flatMap((client, index) =>
      Array.from({ length: 20 }, (_, note) =>
        client.callTool({ name: 'remember', arguments: { text: `Note ${index}-${note}` } }),
      ),
    ),
  );
  const ids = answers.flatMap(
    ({ structuredContent }) => (structuredContent as { ids: string[] }).ids,
  );
  expect(new Set(ids).size).toBe(40);
  const { body } = await server.post({ query: '{ viewer { turnCount } }' });
  expect(body.data).toEqual({ viewer: { turnCount: 40 } });
  for (const client of clients) await client.close();
}, 120_000);

it('over stdio, a key for all users without --user ends with what to do, and with --user it serves that memory', async () => {
  await using closed = await createTestServer();
  const { secret } = await keyFor(closed, null, 'ALL');
  const start = async (...args: string[]) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--import', 'tsx', 'src/cli/mcp.ts', '--url', closed.origin, ...args],
      env: { MNEMOGRAPH_API_KEY: secret },
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const client = new Client({ name: 'test', version: '1' });
    const failure = await client.connect(transport).catch((error: unknown) => error);
    return { client, failure, said: () => said };
  };
  const unnamed = await start();
  expect(unnamed.failure).toBeInstanceOf(Error);
  await expect.poll(unnamed.said).toBe('This API key acts for many users: name one with --user.\n');
  const named = await start('--user', 'ada');
  expect(named.failure).toBeUndefined();
  const { content } = await named.client.callTool({ name: 'facts', arguments: {} });
  expect(JSON.stringify(content)).toContain('Nothing.');
  await named.client.close();
}, 120_000);

it('over stdio, a key that may only read gets the tools that read', async () => {
  await using closed = await createTestServer();
  const { secret } = await keyFor(closed, 'ada', 'READ');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--import', 'tsx', 'src/cli/mcp.ts', '--url', closed.origin],
      env: { MNEMOGRAPH_API_KEY: secret },
    }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['context', 'recall', 'open', 'facts']);
  const call = client.callTool({ name: 'remember', arguments: { text: 'Hello.' } });
  await expect(call).rejects.toThrow();
  await client.close();
}, 60_000);
