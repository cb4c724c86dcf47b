import { readFile, writeFile } from 'node:fs/promises';
import { type Lock, shrinkwrapOf } from './shrinkwrap.ts';

// Runs before the package is packed: who installs it gets the versions that were tested.

const read = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));

const lock = (await read('package-lock.json')) as Lock;
const { bundleDependencies } = (await read('package.json')) as { bundleDependencies: string[] };
const shrinkwrap = shrinkwrapOf(lock, bundleDependencies);
await writeFile(
  new URL('../../npm-shrinkwrap.json', import.meta.url),
  `${JSON.stringify(shrinkwrap, null, 2)}\n`,
);
