import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

it('an export that is cut off leaves no file, one that is repeated is whole, and none replaces a file', async () => {
  const archive = '{"line":1}\n{"line":2}\n';
  let isCutOff = true;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': archive.length });
    if (!isCutOff) return response.end(archive);
    return response.write(archive.slice(0, 11), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const own = await mkdtemp(join(folder, 'cut-off-'));
    const file = join(own, 'archive.jsonl');
    const { port } = server.address() as AddressInfo;
    const url = ['--url', `http://127.0.0.1:${port}`];
    const run = (output: string) => runCommand('export', [...url, '--output', output]);
    const lost = await run(file);
    expect([lost.code, lost.out]).toEqual([1, '']);
    expect(lost.problems).toMatch(/^The connection was lost .* Run the same command again\.$/m);
    expect(lost.problems).not.toContain('    at ');
    expect(await readdir(own)).toEqual([]);
    isCutOff = false;
    expect((await run(file)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(archive);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await run(file);
    expect([again.code, again.problems]).toEqual([
      1,
      `There is already a file ${file}: name another one by --output, or remove it.\n`,
    ]);
    const nowhere = await run(join(own, 'none', 'archive.jsonl'));
    expect(nowhere.problems).toMatch(/^Cannot write .*archive\.jsonl: ENOENT/);
    expect(await readdir(own)).toEqual(['archive.jsonl']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
