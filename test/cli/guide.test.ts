import { readFile } from 'node:fs/promises';
import { createMemory, type MemoryOptions } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideTo } from '../../src/guide.ts';
import { keyFor } from '../support/keys.ts';
import { runExample } from '../support/run-example.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

type Host = { url: string; headers?: Record<string, string> };

/** The five lines of TypeScript in a guide, without their indentation. */
const codeIn = (guide: string) => guide.split('TypeScript:\n')[1]?.replace(/^ {2}/gm, '') ?? '';
/** The settings of Cursor and of VS Code in a guide. */
const hostsIn = (guide: string): Host[] =>
  [...guide.matchAll(/^ {2}(\{.*\})$/gm)].map(([, json = '']) => {
    const { mcpServers, servers } = JSON.parse(json);
    return (mcpServers ?? servers).mnemograph;
  });

async function toolsOf({ url, headers = {} }: Host): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe.each([
  ['an open server', true],
  ['a server that needs a key', false],
])('the lines to paste for %s', (_name, isOpen) => {
  let server: TestServer;
  let guide: string;
  beforeAll(async () => {
    server = await createTestServer(isOpen ? OPEN : {});
    guide = guideTo(server.origin, isOpen);
    if (isOpen) return;
    const { secret } = await keyFor(server, null, 'ALL');
    // With a key for all, a host names the user in a header (docs/mcp.md).
    guide = guide.replaceAll('YOUR_KEY', secret);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('the five lines that the server prints remember and recall', async () => {
    const given = { createMemory: (options: MemoryOptions) => createMemory(options) };
    expect(codeIn(guide).trim().split('\n')).toHaveLength(5);
    await runExample(codeIn(guide), given);
    await server.world.settle();
    expect(await runExample(codeIn(guide), given)).toMatch(/^<memory>[\s\S]*Marta is vegetarian/);
  }, 60_000);

  it('the settings that the server prints lead Cursor, VS Code and Claude Code to its tools', async () => {
    const hosts = hostsIn(guide);
    expect(hosts).toHaveLength(2);
    for (const { url, headers } of hosts) {
      const user = isOpen ? {} : { 'x-mnemograph-user': 'ada' };
      expect(await toolsOf({ url, headers: { ...headers, ...user } })).toContain('remember');
    }
    const added = /^ {2}claude mcp add --transport http mnemograph (\S+)(.*)$/m.exec(guide);
    expect(added?.[1]).toBe(hosts[0]?.url);
    const { Authorization } = hosts[0]?.headers ?? {};
    expect(added?.[2]).toBe(isOpen ? '' : ` --header "Authorization: ${Authorization}"`);
  }, 60_000);

  it('the addresses that the server prints are those of the console and of GraphiQL', async () => {
    const [, console = ''] = /^ {2}Console +(\S+)$/m.exec(guide) ?? [];
    const [, graphiql = ''] = /^ {2}GraphiQL +(\S+)$/m.exec(guide) ?? [];
    for (const address of [console, graphiql]) {
      const response = await fetch(address, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/^<!doctype html>/i);
    }
  }, 60_000);
});

it('the five lines are those of the README', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [, lines = ''] = /^## Five lines of TypeScript\n\n```ts\n(.*?)```/ms.exec(readme) ?? [];
  expect(codeIn(guideTo('http://localhost:4000', true)).trim()).toBe(lines.trim());
});
