import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkCoverage } from '../../tools/checks/check-coverage.ts';

const TESTS = `
import { describe, it, test } from 'vitest';
describe('a group', () => {
  it('keeps a turn', () => {});
  test("a name with | and 'quotes'", () => {});
  it.each([1, 2])('holds for %i', () => {});
  it.skip('is skipped', () => {});
  // it('is a comment', () => {});
});
describe.skip('later', () => { it('is in a skipped group', () => {}); });
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coverage-'));
  mkdirSync(join(root, 'docs'));
  mkdirSync(join(root, 'test'));
  writeFileSync(join(root, 'test/a.test.ts'), TESTS);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a table with these last columns; the first of them stands on line 5. */
function cover(...proofs: string[]) {
  const rows = proofs.map((proof, index) => `| §${index} | something | ${proof} |`);
  const head = ['# Coverage', '', '| seed § | requirement | where |', '| --- | --- | --- |'];
  writeFileSync(join(root, 'docs/seed-coverage.md'), [...head, ...rows, ''].join('\n'));
}

function run() {
  const bin = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const args = [bin('tools/checks/check-coverage.ts'), root];
  const { status, stdout, stderr } = spawnSync(bin('node_modules/.bin/tsx'), args, {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('check-coverage', () => {
  it('counts rows that are shown, planned by issue and dropped', () => {
    cover(
      'test: test/a.test.ts › keeps a turn',
      "test: test/a.test.ts › a name with \\| and 'quotes'<br>test: test/a.test.ts › holds for %i",
      'test: test/a.test.ts › keeps a turn<br>issue 8',
      'issue 7',
      'dropped: no organisations here',
    );
    expect(checkCoverage(root)).toEqual({
      shown: 2,
      planned: new Map([
        [7, 1],
        [8, 1],
      ]),
      dropped: 1,
      problems: [],
    });
  });

  it.each([
    ['a name that no test has', 'test: test/a.test.ts › keeps a turns', 'has no test'],
    ['a part of a name', 'test: test/a.test.ts › keeps', 'has no test'],
    ['a skipped test', 'test: test/a.test.ts › is skipped', 'has no test'],
    ['a test in a skipped group', 'test: test/a.test.ts › is in a skipped group', 'has no test'],
    ['a test in a comment', 'test: test/a.test.ts › is a comment', 'has no test'],
    ['a file that is not there', 'test: test/b.test.ts › keeps a turn', 'does not exist'],
    ['a file the suite does not run', 'test: docs/a.ts › keeps a turn', 'is not test/'],
    ['an issue that is not open', 'issue 2', 'is none of'],
    ['a reason left out', 'dropped:', 'is none of'],
    ['an empty column', '', 'is none of'],
    ['one of two that fails', 'issue 8<br>somewhere', 'is none of'],
    ['a column too many', 'a stray | issue 8', 'expected 3 columns'],
  ])('reports %s with its line', (_what, proof, problem) => {
    cover('issue 8', proof);
    const { problems } = checkCoverage(root);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^docs/seed-coverage.md:6: .*${problem}`)),
    ]);
  });

  it('reports a file without any row', () => {
    cover();
    expect(checkCoverage(root).problems).toEqual(['docs/seed-coverage.md: no table row found']);
  });

  it('as a command prints every miss and exits 1', () => {
    cover('test: test/a.test.ts › first miss', 'issue 8', 'test: test/a.test.ts › second miss');
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(':5: test/a.test.ts has no test "first miss"');
    expect(stderr).toContain(':7: test/a.test.ts has no test "second miss"');
  });

  it('as a command prints one line of counts and exits 0', () => {
    cover('test: test/a.test.ts › keeps a turn', 'issue 7', 'issue 8', 'issue 8');
    expect(run()).toEqual({
      status: 0,
      stdout: 'seed coverage: 1 shown, 3 planned (issue 7: 1, issue 8: 2), 0 dropped\n',
      stderr: '',
    });
  });
});
