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

/** Writes a requirement for each proof, and a table with these proofs; the first stands on line 5. */
function cover(...proofs: string[]) {
  promise(...proofs.map((_proof, index) => `1.${index + 1}`));
  tabulate(...proofs.map((proof, index) => `| 1.${index + 1} | ${proof} |`));
}

function promise(...numbers: string[]) {
  const lines = numbers.map((number) => `- **${number}** Something is promised.`);
  writeFileSync(join(root, 'docs/requirements.md'), ['# Requirements', '', ...lines].join('\n'));
}

function tabulate(...rows: string[]) {
  const head = ['# Coverage', '', '| requirement | proved by |', '| --- | --- |'];
  writeFileSync(join(root, 'docs/coverage.md'), [...head, ...rows, ''].join('\n'));
}

function run() {
  const bin = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const args = [bin('tools/checks/check-coverage.ts'), root];
  const { status, stdout, stderr } = spawnSync(bin('node_modules/.bin/tsx'), args, {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const KEEPS = '`test/a.test.ts` › keeps a turn';

describe('check-coverage', () => {
  it('the check counts the requirements and the tests that prove them', () => {
    cover(
      KEEPS,
      "`test/a.test.ts` › a name with \\| and 'quotes'<br>`test/a.test.ts` › holds for %i",
      KEEPS,
    );
    expect(checkCoverage(root)).toEqual({ proved: 3, tests: 3, problems: [] });
  });

  it.each([
    ['a name that no test has', '`test/a.test.ts` › keeps a turns', 'has no test'],
    ['a part of a name', '`test/a.test.ts` › keeps', 'has no test'],
    ['a skipped test', '`test/a.test.ts` › is skipped', 'has no test'],
    ['a test in a skipped group', '`test/a.test.ts` › is in a skipped group', 'has no test'],
    ['a test in a comment', '`test/a.test.ts` › is a comment', 'has no test'],
    ['a file that is not there', '`test/b.test.ts` › keeps a turn', 'does not exist'],
    ['a file the suite does not run', '`docs/a.ts` › keeps a turn', 'is not test/'],
    ['an empty column', '', 'is not "`FILE` › NAME"'],
    ['one of two that fails', `${KEEPS}<br>somewhere`, 'is not "`FILE` › NAME"'],
    ['a column too many', `${KEEPS} | ${KEEPS}`, 'expected 2 columns'],
  ])('the check reports %s with its line', (_what, proof, problem) => {
    cover(KEEPS, proof);
    const { problems } = checkCoverage(root);
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^docs/coverage.md:6: .*${problem}`)),
    ]);
  });

  it('the check reports a requirement without a test, and one that is listed twice', () => {
    promise('1.1', '1.2', '1.1');
    tabulate(`| 1.1 | ${KEEPS} |`);
    expect(checkCoverage(root).problems).toEqual([
      'docs/requirements.md:5: requirement 1.1 stands twice',
      'docs/requirements.md:4: nothing proves requirement 1.2',
    ]);
  });

  it('the check reports a row without a requirement, and a second row of a requirement', () => {
    promise('1.1');
    tabulate(`| 1.1 | ${KEEPS} |`, `| 1.1 | ${KEEPS} |`, `| 9.9 | ${KEEPS} |`);
    expect(checkCoverage(root).problems).toEqual([
      'docs/coverage.md:6: requirement 1.1 has a row already',
      'docs/coverage.md:7: there is no requirement 9.9',
    ]);
  });

  it('the check reports a document without requirements', () => {
    cover();
    expect(checkCoverage(root).problems).toEqual(['docs/requirements.md: no requirement found']);
  });

  it('the command prints every problem and exits with code 1', () => {
    cover('`test/a.test.ts` › first miss', KEEPS, '`test/a.test.ts` › second miss');
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(':5: test/a.test.ts has no test "first miss"');
    expect(stderr).toContain(':7: test/a.test.ts has no test "second miss"');
  });

  it('the command prints one line of counts and exits with code 0', () => {
    cover(KEEPS, KEEPS);
    expect(run()).toEqual({
      status: 0,
      stdout: 'coverage: 2 requirements, proved by 1 tests\n',
      stderr: '',
    });
  });
});
