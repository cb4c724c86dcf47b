import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '@mnemograph/client';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { holderOf } from '../../src/db/embedded/folder-lock.ts';
import { startServerProcess } from '../../tools/support/server-process.ts';
import { command } from '../support/command.ts';

let folder: string;
const clients: Client[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-mcp-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await rm(folder, { recursive: true, force: true });
});

/** Starts `mnemograph mcp` as a host does, on the data folder of this test. */
async function start(mode: 'legacy' | 'auto' = 'auto', args: string[] = [], more = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: command('mcp', ...args),
    env: { DATA_DIR: folder, EMBEDDER: 'none', LOG_LEVEL: 'error', ...more },
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  // A host may wait as long as the server needs to start on a busy machine.
  await client.connect(transport, { timeout: 120_000 });
  clients.push(client);
  return { client, pid: transport.pid as number };
}

async function overHttp(url: string) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  clients.push(client);
  return client;
}

/** Writes 20 notes at once. @returns the ids under which they are stored */
async function write20(client: Client, name: string): Promise<string[]> {
  const calls = Array.from({ length: 20 }, (_, note) =>
    client.callTool(
      { name: 'remember', arguments: { text: `Note ${name}-${note}` } },
      { timeout: 120_000 },
    ),
  );
  return (await Promise.all(calls)).flatMap(({ structuredContent, content, isError }) => {
    if (isError) throw new Error(JSON.stringify(content));
    return (structuredContent as { ids: string[] }).ids;
  });
}

/** Who has the folder now. A process that is busy for two seconds does not say so: then it is asked again. */
const owner = (): Promise<{ pid: number; url: string }> =>
  vi.waitFor(
    async () => {
      const { pid, url } = (await holderOf(folder)) ?? {};
      if (pid == null || url == null) throw new Error('Nobody serves the folder.');
      return { pid, url };
    },
    { timeout: 90_000 },
  );

const count = async () => {
  const { url } = await owner();
  const query = '{ viewer { turnCount } }';
  const { viewer } = await createMemory({ url }).request<{ viewer: { turnCount: number } }>(query);
  return viewer.turnCount;
};

it('two commands that start at once share one store, and the other takes over when its owner is killed', {
  timeout: 300_000,
}, async () => {
  const both = await Promise.all([start(), start('legacy')]);
  const first = await owner();
  expect(both.map(({ pid }) => pid)).toContain(first.pid);
  const bridge = both.find(({ pid }) => pid !== first.pid) as (typeof both)[number];
  const http = await overHttp(first.url);
  const ids = await Promise.all([write20(bridge.client, 'stdio'), write20(http, 'http')]);
  expect(new Set(ids.flat()).size).toBe(40);
  expect(await count()).toBe(40);

  // Some of these are under way when the owner dies.
  const meanwhile = write20(bridge.client, 'meanwhile');
  process.kill(first.pid, 'SIGKILL');
  const more = await meanwhile;
  more.push(...(await write20(bridge.client, 'afterwards')));
  const second = await owner();
  expect(second.pid).toBe(bridge.pid);
  expect(new Set([...ids.flat(), ...more]).size).toBe(80);
  expect(await count()).toBe(80);
});

it('when the owner ends because its host has gone, the other takes over without losing a write', {
  timeout: 300_000,
}, async () => {
  const one = await start();
  expect((await owner()).pid).toBe(one.pid);
  const other = await start();
  expect((await owner()).pid).toBe(one.pid);
  const meanwhile = write20(other.client, 'meanwhile');
  await one.client.close();
  const ids = [...(await meanwhile), ...(await write20(other.client, 'afterwards'))];
  expect(new Set(ids).size).toBe(40);
  expect((await owner()).pid).toBe(other.pid);
  expect(await count()).toBe(40);
});

it('a command finds the running server by the lock of its folder, and leaves the folder to it', {
  timeout: 300_000,
}, async () => {
  const env = { EMBEDDER: 'none' };
  await using server = await startServerProcess({ dataDir: folder, env });
  const credentials = { MNEMOGRAPH_API_KEY: server.apiKey };
  const { client, pid } = await start('auto', ['--user', 'ada'], credentials);
  const ids = await write20(client, 'bridged');
  expect(new Set(ids).size).toBe(20);
  expect((await owner()).pid).toBe(server.pid);
  expect(pid).not.toBe(server.pid);
  const query = '{ user(userId: "ada") { turnCount } }';
  expect(await server.request(query)).toEqual({ user: { turnCount: 20 } });
  // Before the server stops, or the command would take its folder over.
  await client.close();
});
