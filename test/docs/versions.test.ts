import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/config/version.ts';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

it('every package, the MCP server and the changelog have the version of the server', async () => {
  const packages = await readdir(new URL('packages/', root));
  const versions = await Promise.all(
    packages.map(async (name) => {
      const { version } = JSON.parse(await textOf(`packages/${name}/package.json`));
      return [name, version];
    }),
  );
  expect(versions).toEqual(packages.map((name) => [name, VERSION]));
  expect(await textOf('packages/mcp/src/server.ts')).toContain(`VERSION = '${VERSION}'`);
  const [, newest] = /^## ([\d.]+)/m.exec(await textOf('CHANGELOG.md')) ?? [];
  expect(newest).toBe(VERSION);
});
