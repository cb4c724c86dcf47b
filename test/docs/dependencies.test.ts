import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeLicences } from '../../tools/checks/describe-licences.ts';

const ROOT = new URL('../../', import.meta.url);
const json = async (file: string) => JSON.parse(await readFile(new URL(file, ROOT), 'utf8'));
const { packages } = await json('package-lock.json');

it('docs/licences.md is what package-lock.json installs', async () => {
  await expect(describeLicences(packages)).toMatchFileSnapshot('../../docs/licences.md');
});

it('a package without a licence, or with another licence, is refused', () => {
  const one = (license?: string) => () =>
    describeLicences({ 'node_modules/one': { version: '1.0.0', ...(license && { license }) } });
  expect(one()).toThrow('one 1.0.0 has the licence undefined');
  expect(one('GPL-3.0')).toThrow('one 1.0.0 has the licence GPL-3.0');
  expect(one('MIT')).not.toThrow();
});

it('docs/dependencies.md gives a reason for every package, and for no other', async () => {
  const [, server = ''] = (await readFile(new URL('docs/dependencies.md', ROOT), 'utf8')).split(
    /^## /m,
  );
  const rows = server.split('\n').flatMap((line) => line.split(' | ')[0] ?? '');
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const { dependencies, peerDependencies } = await json('package.json');
  const installed = Object.keys({ ...dependencies, ...peerDependencies });
  expect(named.toSorted()).toEqual(installed.toSorted());
});
