import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collected, collect } from '../../tools/checks/check-patterns/collect.ts';
import { judge } from '../../tools/checks/check-patterns/judge.ts';
import type { Verdict } from '../../tools/checks/check-patterns/pattern.ts';
import { report } from '../../tools/checks/check-patterns/report.ts';

/** A project with good and bad expressions, one a line. */
const SOURCE = String.raw`
export const good = /^[a-z]+ [0-9]{1,9}$/;
export const bad = /(?:a+)+b/;
export const fromEveryPlace = /\s+$/;
export const unprovable = /(?<=[a-z]) [0-9]+/;
export const badAndUnprovable = /^(?:so so |so )+(?<=x)$/;
const words = ['yes', 'no'];
export const goodBuilt = new RegExp('^(?:' + words.join('|') + ')$');
export const badBuilt = new RegExp('^(?:' + words.map((word) => word + ' ?').join('|') + '|o ?|n)*$');
class Derived extends RegExp { constructor(source) { super(source, 'du'); } }
export const goodDerived = new Derived('^(?:' + words.join('|') + ')$');
export const later = (word) => new RegExp(word);
`;
const lineOf = (name: string): string =>
  `src/project.mjs:${SOURCE.split('\n').findIndex((line) => line.includes(` ${name} `)) + 1}`;

describe('the check of regular expressions', () => {
  let root: string;
  let collected: Collected;
  let verdicts: Verdict[];
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'patterns-'));
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'src', 'project.mjs'), SOURCE);
    collected = await collect(root, {
      own: ['src'],
      isLoaded: () => true,
      builders: {},
      libraries: [],
    });
    const own = collected.patterns.filter(({ isOwn }) => isOwn);
    verdicts = await judge(own, { proof: 20_000, proofs: 60_000 });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each([
    ['proves a literal', 'good', 'proven'],
    ['refuses a repetition of a repetition', 'bad', 'refused'],
    ['refuses one that is tried from every place', 'fromEveryPlace', 'refused'],
    ['tries what cannot be proven', 'unprovable', 'tried'],
    ['refuses what cannot be proven and is slow', 'badAndUnprovable', 'refused'],
    ['proves one that is built', 'goodBuilt', 'proven'],
    ['proves one of a derived class', 'goodDerived', 'proven'],
    ['refuses one that is built', 'badBuilt', 'refused'],
  ])('the check of regular expressions %s', (_, name, outcome) => {
    const found = verdicts.filter(({ pattern }) => pattern.places.includes(lineOf(name)));
    expect(found.map((verdict) => verdict.outcome)).toEqual([outcome]);
  });

  it('the check reports where an expression is built that was not seen', () => {
    expect(collected.unseen).toEqual([lineOf('later')]);
  });

  it('the report has the place, the reason, an attack and advice', () => {
    const lines = report(verdicts, collected.unseen).join('\n');
    expect(lines).toContain(`${lineOf('bad')}  exponential`);
    expect(lines).toContain('Write it so that no text is slow');
    expect(lines).toContain('patterns: 3 proven, 1 tried, 4 refused, 1 not seen');
  });
});
