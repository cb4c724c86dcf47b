import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '@mnemograph/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { startPrefixProxy } from '../support/network/prefix-proxy.ts';
import { createTestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('export and import of an archive keep the path of the address, as behind a proxy', async () => {
  await using server = await createTestServer({ EMBEDDER: 'none' });
  await using proxy = await startPrefixProxy(server.origin, '/mnemo');
  const from = await userToken('ada');
  await createMemory({ url: server.origin, token: from }).remember('The boat is blue.');
  const file = join(folder, 'moved.jsonl');
  const run = (name: 'import' | 'export', args: string[], token: string) =>
    runCommand(name, args, { MNEMOGRAPH_API_KEY: token });
  const exported = await run('export', ['--url', `${proxy.origin}/mnemo`, '--output', file], from);
  expect([exported.code, exported.problems]).toEqual([0, '']);
  for (const [userId, path] of [
    ['bob', '/mnemo/'],
    ['cleo', '/mnemo/graphql'],
  ] as const) {
    const args = ['archive', file, '--url', `${proxy.origin}${path}`];
    const imported = await run('import', args, await userToken(userId));
    expect(imported.out).toContain('Imported 1 turns');
  }
});
