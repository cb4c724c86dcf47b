import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { EXTRACTIVE } from '../../src/reasoner/extractive/name.ts';
import type { Spread } from './measure.ts';

/** What the figures of a command were measured on. */
export type Setting = {
  data: string;
  reasoner: string;
  embedder: string;
  database: string;
  commit: string;
};

/** Describes what a command ran on. Without `databaseUrl` the database is embedded. */
export async function describeSetting(
  data: string,
  embedder: string,
  databaseUrl: string | null | undefined,
): Promise<Setting> {
  return {
    data,
    reasoner: EXTRACTIVE,
    embedder,
    database: databaseUrl ? await serverVersion(databaseUrl) : 'embedded',
    commit: commit(),
  };
}

async function serverVersion(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return `PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`;
  } finally {
    await client.end();
  }
}

/** Returns the current commit, marked if files differ from it; "unknown" outside a repository. */
function commit(): string {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', 'src', 'prisma') !== '';
    return git('rev-parse', '--short', 'HEAD') + (changed ? '-changed' : '');
  } catch {
    return 'unknown';
  }
}

type Cell = string | number;

/** Prints rows in columns; the first one holds the headings. */
export function printTable(rows: readonly (readonly Cell[])[]): void {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
    });
  }
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      typeof cell === 'number' || column > 0
        ? String(cell).padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
  console.log();
}

/** Prints the setting as the head of a report. */
export function printSetting(setting: Setting): void {
  console.log();
  for (const [name, value] of Object.entries(setting)) console.log(`${name}: ${value}`);
  console.log();
}

/** Returns the cells of a figure of several rounds: median, lowest, highest. */
export const spreadCells = ({ median, min, max }: Spread, digits = 1): Cell[] =>
  [median, min, max].map((figure) => figure.toFixed(digits));

/** Prints the last line of every command: its result as JSON, with figures to four significant digits. */
export function printResult(result: Record<string, unknown>): void {
  console.log(
    JSON.stringify(result, (_key, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ),
  );
}
