import { type ArchiveCounts, type ArchiveRow, columnsOf } from '../../domain/archive/archive.ts';
import type { Statement, Tx } from '../core/database.ts';
import { ARCHIVE_ROWS } from './archive-rows.ts';

/** The rows of a type that belong to a user. */
const source = ({ table, where = 'true' }: ArchiveRow): string =>
  `FROM ${table} WHERE user_id = $1 AND ${where}`;

const COUNT: Statement = {
  name: 'archive-count',
  text: ARCHIVE_ROWS.map(
    (row) => `SELECT '${row.type}' AS type, count(*)::int AS count ${source(row)}`,
  ).join('\nUNION ALL '),
};

const EXISTS: Statement = {
  name: 'archive-exists',
  text: 'SELECT FROM users WHERE user_id = $1',
};

/** Whether anything was ever stored of a user. */
export const exists = async (tx: Tx): Promise<boolean> =>
  (await tx.query(EXISTS, [tx.userId])).length > 0;

/** How many rows of each type an archive of a user has. */
export async function count(tx: Tx): Promise<ArchiveCounts> {
  const rows = await tx.query<{ type: string; count: number }>(COUNT, [tx.userId]);
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

const UTC: Statement = {
  name: 'archive-utc',
  text: `SET LOCAL timezone = 'UTC'`,
};
const CLOSE: Statement = { name: 'archive-close', text: 'CLOSE archive' };

const open = (row: ArchiveRow): Statement => ({
  name: `archive-open-${row.type}`,
  text: `
DECLARE archive NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS line FROM (
  SELECT '${row.type}' AS type, ${columnsOf(row).join(', ')} ${source(row)} ORDER BY ${row.key.join(', ')}
) AS r`,
});

const fetch = (most: number): Statement => ({
  name: `archive-fetch-${most}`,
  text: `FETCH ${most} FROM archive`,
});

/** Rows are fetched by as many as come to about so many characters. */
const PART = 1_000_000;
const MOST_ROWS = 1_024;

/** All rows of an archive as lines of JSON, in parts that fit in memory. Runs in a transaction that sees one state. */
export async function* lines(tx: Tx): AsyncGenerator<string[]> {
  await tx.query(UTC, []);
  let most = 16;
  for (const row of ARCHIVE_ROWS) {
    await tx.query(open(row), [tx.userId]);
    for (;;) {
      const rows = await tx.query<{ line: string }>(fetch(most), []);
      if (rows.length === 0) break;
      const part = rows.map(({ line }) => line);
      yield part;
      const size = part.reduce((sum, line) => sum + line.length, 0);
      most = size > PART ? Math.max(1, most / 2) : Math.min(MOST_ROWS, most * 2);
    }
    await tx.query(CLOSE, []);
  }
}
