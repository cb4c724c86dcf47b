import {
  ARCHIVE_KINDS,
  ARCHIVE_ROWS,
  type ArchiveCounts,
  type ArchiveKind,
  columnsOf,
} from '../../domain/archive/archive.ts';
import type { Statement, Tx } from '../core/database.ts';

/** The rows of a kind that belong to a user. */
const source = (kind: ArchiveKind): string =>
  `FROM ${ARCHIVE_ROWS[kind].table} WHERE user_id = $1${kind === 'progress' ? ` AND index_name = 'facts'` : ''}`;

const COUNT: Statement = {
  name: 'archive-count',
  text: ARCHIVE_KINDS.map(
    (kind) => `SELECT '${kind}' AS kind, count(*)::int AS count ${source(kind)}`,
  ).join('\nUNION ALL '),
};

const EXISTS: Statement = {
  name: 'archive-exists',
  text: 'SELECT FROM users WHERE user_id = $1',
};

/** Whether anything was ever told of a user. */
export const exists = async (tx: Tx): Promise<boolean> =>
  (await tx.query(EXISTS, [tx.userId])).length > 0;

/** How many rows of each kind an archive of a user has. */
export async function count(tx: Tx): Promise<ArchiveCounts> {
  const rows = await tx.query<{ kind: ArchiveKind; count: number }>(COUNT, [tx.userId]);
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) as ArchiveCounts;
}

const UTC: Statement = {
  name: 'archive-utc',
  text: `SELECT set_config('timezone', 'UTC', true)`,
};
const CLOSE: Statement = { name: 'archive-close', text: 'CLOSE archive' };

const open = (kind: ArchiveKind): Statement => ({
  name: `archive-open-${kind}`,
  text: `
DECLARE archive NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS line FROM (
  SELECT '${kind}' AS type, ${columnsOf(kind).join(', ')} ${source(kind)} ORDER BY ${ARCHIVE_ROWS[kind].key.join(', ')}
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
  for (const kind of ARCHIVE_KINDS) {
    await tx.query(open(kind), [tx.userId]);
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
