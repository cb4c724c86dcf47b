import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { STEPS } from '../src/pipeline.ts';

const src = new URL('../src/', import.meta.url).pathname;
const names = (await readdir(src, { recursive: true })).filter(
  (name) => name.endsWith('.ts') && !name.includes('generated'),
);
const files = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(src, name), 'utf8') })),
);

/** The files that match a pattern, except those whose names begin with one of `allowed`. */
const filesWith = (pattern: RegExp, ...allowed: string[]): string[] =>
  files
    .filter(
      ({ name, text }) => pattern.test(text) && !allowed.some((prefix) => name.startsWith(prefix)),
    )
    .map(({ name }) => name)
    .sort();

it('resolvers access a memory only through steps', () => {
  const schema = files.filter(({ name }) => name.startsWith('schema/'));
  expect(schema.filter(({ text }) => /\.(memory|deployment)\(/.test(text))).toEqual([]);
});

it('only a unit of work appends events, stores jobs and publishes a commit', () => {
  expect(filesWith(/\bevents\.append\(|\bimport \{ append \}/, 'memory.ts')).toEqual([]);
  expect(filesWith(/announcer\.announce\((?!null)/, 'memory.ts')).toEqual([]);
  expect(filesWith(/INTO jobs\b/, 'db/operations/jobs.ts')).toEqual([]);
});

it('names of steps appear only in the pipeline', () => {
  const steps = Object.values(STEPS).filter((step) => step.includes('-'));
  const literal = new RegExp(`step(: |\\b[^\\n]{0,12}= ?)'(${steps.join('|')})'`);
  // The steps of the reasoner have their own names, some of which are the same.
  expect(filesWith(literal, 'pipeline.ts', 'reasoner/', 'cli/')).toEqual([]);
});

it('types are imported from where they are declared, not extracted with Parameters<Parameters<…>>', () => {
  expect(filesWith(/Parameters<Parameters</)).toEqual([]);
});

it('no folder contains more than 25 files', () => {
  const sizes = new Map<string, number>();
  for (const { name } of files) sizes.set(dirname(name), (sizes.get(dirname(name)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > 25)).toEqual([]);
});
