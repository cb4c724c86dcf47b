import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** The table that is checked, from the repository's root. */
const COVERAGE_FILE = 'docs/seed-coverage.md';

/** The issues a row may still wait for. Raise `first` when an issue is done: rows left behind then fail. */
const OPEN_ISSUES = { first: 7, last: 8 };

/** One entry of a row's last column. */
type Proof =
  | { kind: 'test'; file: string; name: string }
  | { kind: 'issue'; issue: number }
  | { kind: 'dropped' }
  | { kind: 'unreadable'; text: string };

/** What the check found: rows by kind, and a line for everything that does not hold. */
interface CoverageReport {
  shown: number;
  /** Rows by the issue that completes them. */
  planned: ReadonlyMap<number, number>;
  dropped: number;
  /** One readable line per miss, `docs/seed-coverage.md:LINE: …`. */
  problems: readonly string[];
}

/**
 * Compares the coverage table with the tests: each row needs `test: FILE › NAME` (the file exists and
 * holds a test of exactly that name that is not skipped), `issue N` or `dropped: REASON`; several
 * are joined by `<br>`. A row that still waits for an issue counts as planned, whatever else it shows.
 * @param root the folder that holds `docs/` and `test/`
 * @throws if the coverage table itself cannot be read
 */
export function checkCoverage(root: string): CoverageReport {
  const report = { shown: 0, planned: new Map<number, number>(), dropped: 0 };
  const problems: string[] = [];
  const namesOf = testNamesReader(root);
  const rows = tableRows(readFileSync(join(root, COVERAGE_FILE), 'utf8'));
  if (rows.length === 0) problems.push(`${COVERAGE_FILE}: no table row found`);
  for (const { line, cells } of rows) {
    const entries = (cells.at(-1) ?? '').split('<br>').map((entry) => parseProof(entry.trim()));
    const misses = entries.flatMap((entry) => missOf(entry, namesOf) ?? []);
    if (cells.length !== 3) misses.push(`expected 3 columns, found ${cells.length}`);
    problems.push(...misses.map((miss) => `${COVERAGE_FILE}:${line}: ${miss}`));
    if (misses.length === 0) count(report, entries);
  }
  return { ...report, problems };
}

/** The body rows of every table: a header is the line before `| --- |`. */
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

/** Reads one entry of the last column. */
function parseProof(text: string): Proof {
  const test = /^test: (\S+) › (.+)$/.exec(text);
  if (test?.[1] && test[2]) return { kind: 'test', file: test[1], name: test[2] };
  const issue = Number(/^issue (\d+)$/.exec(text)?.[1]);
  if (issue >= OPEN_ISSUES.first && issue <= OPEN_ISSUES.last) return { kind: 'issue', issue };
  if (/^dropped: \S/.test(text)) return { kind: 'dropped' };
  return { kind: 'unreadable', text };
}

/** What is missing for a proof to hold; undefined if it holds. */
function missOf(proof: Proof, namesOf: (file: string) => Set<string> | undefined) {
  if (proof.kind === 'unreadable')
    return `"${proof.text}" is none of "test: FILE › NAME", "issue ${OPEN_ISSUES.first}…${OPEN_ISSUES.last}", "dropped: REASON"`;
  if (proof.kind !== 'test') return undefined;
  if (!/^test\/.+\.test\.ts$/.test(proof.file)) return `${proof.file} is not test/….test.ts`;
  const names = namesOf(proof.file);
  if (names === undefined) return `${proof.file} does not exist (for "${proof.name}")`;
  return names.has(proof.name) ? undefined : `${proof.file} has no test "${proof.name}"`;
}

/** Adds a row that holds to the counts. */
function count(
  report: { shown: number; planned: Map<number, number>; dropped: number },
  proofs: readonly Proof[],
) {
  const issues = proofs.flatMap((proof) => (proof.kind === 'issue' ? [proof.issue] : []));
  const last = Math.max(...issues);
  if (issues.length > 0) report.planned.set(last, (report.planned.get(last) ?? 0) + 1);
  else if (proofs.some((proof) => proof.kind === 'test')) report.shown += 1;
  else report.dropped += 1;
}

/** Reads each test file once; undefined if there is none. */
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

/** The names of the tests in a source file: string literals only; what is skipped shows nothing. */
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

/** Prints every miss, or one line of counts; returns the exit code. */
function main(root: string): number {
  const { shown, planned, dropped, problems } = checkCoverage(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;
  const issues = [...planned].sort(([a], [b]) => a - b);
  const total = issues.reduce((sum, [, rows]) => sum + rows, 0);
  const byIssue = issues.map(([issue, rows]) => `issue ${issue}: ${rows}`).join(', ');
  console.log(
    `seed coverage: ${shown} shown, ${total} planned${byIssue && ` (${byIssue})`}, ${dropped} dropped`,
  );
  return 0;
}

const script = process.argv[1];
if (script !== undefined && pathToFileURL(realpathSync(script)).href === import.meta.url)
  process.exitCode = main(process.argv[2] ?? process.cwd());
