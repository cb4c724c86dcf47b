import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** The requirements, and the tests that prove them; paths from the root of the repository. */
const REQUIREMENTS_FILE = 'docs/requirements.md';
const COVERAGE_FILE = 'docs/coverage.md';

/** The result of the check. */
type CoverageReport = {
  /** Requirements with at least one test. */
  proved: number;
  /** Distinct tests that prove them. */
  tests: number;
  /** One line for each problem, as `docs/….md:LINE: …`. */
  problems: readonly string[];
};

/**
 * Compares requirements, coverage and tests. Each requirement (`- **4.2** …`) needs one row in the coverage table, whose last
 * column names tests as "`FILE` › NAME", joined by `<br>`: the file holds a test of exactly that name that is not skipped.
 * @param root the folder that holds `docs/` and `test/`
 * @throws if one of the two documents cannot be read
 */
export function checkCoverage(root: string): CoverageReport {
  const problems: string[] = [];
  const proofs = new Set<string>();
  const namesOf = testNamesReader(root);
  const required = requirements(readFileSync(join(root, REQUIREMENTS_FILE), 'utf8'), problems);
  const rows = tableRows(readFileSync(join(root, COVERAGE_FILE), 'utf8'));
  if (required.size === 0) problems.push(`${REQUIREMENTS_FILE}: no requirement found`);
  const covered = new Set<string>();
  for (const { line, cells } of rows) {
    const [number = '', proof = ''] = cells;
    const entries = proof.split('<br>').map((entry) => entry.trim());
    const misses = entries.flatMap((entry) => missOf(entry, namesOf) ?? []);
    if (cells.length !== 2) misses.push(`expected 2 columns, found ${cells.length}`);
    if (!required.has(number)) misses.push(`there is no requirement ${number}`);
    if (covered.has(number)) misses.push(`requirement ${number} has a row already`);
    covered.add(number);
    problems.push(...misses.map((miss) => `${COVERAGE_FILE}:${line}: ${miss}`));
    for (const entry of entries) proofs.add(entry);
  }
  for (const [number, line] of required) {
    if (covered.has(number)) continue;
    problems.push(`${REQUIREMENTS_FILE}:${line}: nothing proves requirement ${number}`);
  }
  return { proved: required.size, tests: proofs.size, problems };
}

/** Returns the line of each requirement, by its number. Reports numbers that occur twice. */
function requirements(markdown: string, problems: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const number = /^- \*\*(\d+\.\d+)\*\* \S/.exec(text)?.[1];
    if (number === undefined) continue;
    if (found.has(number)) {
      problems.push(`${REQUIREMENTS_FILE}:${index + 1}: requirement ${number} stands twice`);
    }
    found.set(number, index + 1);
  }
  return found;
}

/** Returns the body rows of every table. The header is the line before `| --- |`. */
function tableRows(markdown: string): { line: number; cells: string[] }[] {
  const lines = markdown.split(/\r?\n/);
  const isRule = (text: string | undefined) => /^\|(\s*:?-+:?\s*\|)+\s*$/.test(text ?? '');
  return lines.flatMap((text, index) => {
    if (!text.startsWith('|') || isRule(text) || isRule(lines[index + 1])) return [];
    const cells = text
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split(/(?<!\\)\|/);
    return [{ line: index + 1, cells: cells.map((cell) => cell.trim().replaceAll('\\|', '|')) }];
  });
}

/** Returns what is wrong with a proof; undefined if it is right. */
function missOf(proof: string, namesOf: (file: string) => Set<string> | undefined) {
  const [, file, name] = /^`(\S+)` › (.+)$/.exec(proof) ?? [];
  if (file === undefined || name === undefined) return `"${proof}" is not "\`FILE\` › NAME"`;
  if (!/^test\/.+\.test\.ts$/.test(file)) return `${file} is not test/….test.ts`;
  const names = namesOf(file);
  if (names === undefined) return `${file} does not exist (for "${name}")`;
  return names.has(name) ? undefined : `${file} has no test "${name}"`;
}

/** Creates a function that returns the names of the tests in a file; undefined if it does not exist. Reads each file once. */
function testNamesReader(root: string) {
  const read = new Map<string, Set<string> | undefined>();
  return (file: string) => {
    if (!read.has(file)) {
      const source = ts.sys.readFile(join(root, file));
      read.set(file, source === undefined ? undefined : testNames(file, source));
    }
    return read.get(file);
  };
}

/** Returns the names of the tests in a source file, if they are string literals. Skipped tests prove nothing and are omitted. */
function testNames(file: string, source: string): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const path = calleePath(node.expression);
      if (path.includes('skip') || path.includes('todo')) return;
      const name = node.arguments[0];
      const isTest = path[0] === 'it' || path[0] === 'test';
      if (isTest && name !== undefined && ts.isStringLiteralLike(name)) names.add(name.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return names;
}

/** `it.each([…])` → `['it', 'each']`; empty for anything that is not a chain of names. */
function calleePath(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...calleePath(node.expression), node.name.text];
  if (ts.isCallExpression(node)) return calleePath(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return calleePath(node.tag);
  return [];
}

/** Prints every problem, or a line with the counts. Returns the exit code. */
function main(root: string): number {
  const { proved, tests, problems } = checkCoverage(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  console.log(`coverage: ${proved} requirements, proved by ${tests} tests`);
  return 0;
}

const script = process.argv[1];
if (script !== undefined && pathToFileURL(realpathSync(script)).href === import.meta.url)
  process.exitCode = main(process.argv[2] ?? process.cwd());
