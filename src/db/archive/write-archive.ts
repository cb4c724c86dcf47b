import { type ArchiveRow, columnsOf } from '../../domain/archive/archive.ts';
import type { ChangeKind } from '../../domain/core/change.ts';
import { InvalidArchive } from '../../domain/core/errors.ts';
import { DAY } from '../../shared/duration.ts';
import { isOfData } from '../../shared/is-of-data.ts';
import type { Statement, Tx } from '../core/database.ts';
import { lastOf } from '../kinds/kind.ts';
import { KINDS } from '../kinds/kinds.ts';
import { turnsToRead } from '../kinds/turns/to-read.ts';
import { ARCHIVE_ROWS } from './archive-rows.ts';
import { FIRST } from './common-rows.ts';

const IS_EMPTY: Statement = {
  name: 'archive-is-empty',
  text: `
SELECT erase_epoch + last_thread + last_turn + last_event + last_episode + last_fact + last_semantic_memory + last_profile
  + last_link = 0
  AND NOT EXISTS (SELECT FROM channel_settings WHERE user_id = $1)
  AND NOT EXISTS (SELECT FROM linking_settings WHERE user_id = $1)
  AND NOT EXISTS (SELECT FROM tuning_runs WHERE user_id = $1) AS "isEmpty"
FROM users WHERE user_id = $1`,
};

/** Whether nothing was ever remembered of a user. The user's row must be locked. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ isEmpty: boolean }>(IS_EMPTY, [tx.userId]);
  return row?.isEmpty === true;
}

const PREPARE: Statement = {
  name: 'archive-prepare',
  text: 'CREATE TEMPORARY TABLE archive_lines (kind text NOT NULL, line jsonb NOT NULL) ON COMMIT DROP',
};
const STAGE: Statement = {
  name: 'archive-stage',
  text: `INSERT INTO archive_lines SELECT line ->> 'type', line FROM jsonb_array_elements($1::jsonb) AS line`,
};

const staged = ({ type, table }: ArchiveRow): string =>
  `FROM archive_lines AS a CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, a.line) AS r
WHERE a.kind = '${type}'`;

const [USER] = FIRST;
const OTHERS = ARCHIVE_ROWS.filter((row) => row !== USER && !row.isWork);

/** All rows of a type at once: those that refer to each other are checked when they are all there. */
const insert = (row: ArchiveRow): Statement => {
  const { type, table, added = {}, joinedLater = [] } = row;
  const columns = columnsOf(row).filter((column) => !joinedLater.includes(column));
  const values = columns.map((column) => `r.${column}`);
  return {
    name: `archive-insert-${type}`,
    text: `
WITH stored AS (
  INSERT INTO ${table} (user_id, ${[...columns, ...Object.keys(added)].join(', ')})
  SELECT $1, ${[...values, ...Object.values(added)].join(', ')} ${staged(row)}
  RETURNING user_id
)
SELECT`,
  };
};

const SET_USER: Statement = {
  name: 'archive-set-user',
  text: `
UPDATE users u SET ${columnsOf(USER)
    .map((column) => `${column} = r.${column}`)
    .join(', ')} ${staged(USER)} AND u.user_id = $1`,
};

const JOIN_THREADS: Statement = {
  name: 'archive-join-threads',
  text: `
WITH joined AS MATERIALIZED (
  SELECT (line ->> 'id')::int AS id, (line ->> 'cross_thread_episode_id')::int AS episode_id FROM archive_lines
  WHERE kind = 'thread' AND line ->> 'cross_thread_episode_id' IS NOT NULL
)
UPDATE threads t SET cross_thread_episode_id = j.episode_id FROM joined j WHERE t.user_id = $1 AND t.id = j.id`,
};

const NUMBERS: Record<string, string> = {
  last_thread: lastOf('last_thread', 'threads'),
  last_event: lastOf('last_event', 'memory_events', 'number'),
  last_profile: lastOf('last_profile', 'profiles', 'version'),
  last_link: lastOf('last_link', 'links'),
  trimmed_event: `least(trimmed_event, last_event, (SELECT min(number) - 1 FROM memory_events WHERE user_id = $1))`,
};

/** Numbers are never given twice, and sizes are those of the rows, whatever an archive says. */
const COUNT_USER: Statement = {
  name: 'archive-count-user',
  text: `
UPDATE users SET
  ${[NUMBERS, ...KINDS.map(({ archive }) => archive.numbers ?? {})]
    .flatMap((numbers) => Object.entries(numbers))
    .map(([column, value]) => `${column} = ${value}`)
    .join(',\n  ')}
WHERE user_id = $1`,
};

/** What makes rows of the lines, in this order. */
const STORE: readonly Statement[] = [
  SET_USER,
  ...OTHERS.map(insert),
  JOIN_THREADS,
  COUNT_USER,
  ...KINDS.flatMap(({ archive }) => archive.finish ?? []),
];

const MISFITS = KINDS.flatMap(({ archive }) => archive.misfits ?? []);

const CHECK: Statement = {
  name: 'archive-check',
  text: `SELECT ARRAY[${MISFITS.map(({ first }) => `(${first})`).join(', ')}]::int[] AS found`,
};

/** @throws InvalidArchive */
async function check(tx: Tx): Promise<void> {
  const [row] = await tx.query<{ found: (number | null)[] }>(CHECK, [tx.userId]);
  for (const [place, { reason }] of MISFITS.entries()) {
    const id = row?.found[place] ?? null;
    if (id !== null) throw new InvalidArchive(reason(id));
  }
}

/** Writes the rows of an archive, given as lines of JSON in parts that fit in memory. */
export async function write(tx: Tx, parts: AsyncIterable<readonly string[]>): Promise<void> {
  try {
    await store(tx, parts);
  } catch (error) {
    throw isOfData(error) ? new InvalidArchive('its rows do not fit together') : error;
  }
}

async function store(tx: Tx, parts: AsyncIterable<readonly string[]>): Promise<void> {
  await tx.query(PREPARE, []);
  for await (const part of parts) await tx.query(STAGE, [`[${part.join(',')}]`]);
  for (const statement of STORE) await tx.query(statement, [tx.userId]);
  await check(tx);
}

/** Subjects of which changes are reported, by kind of change. */
const RESUMED = KINDS.flatMap(({ archive }) => Object.entries(archive.resume ?? {}));

const UNDONE: Statement = {
  name: 'archive-undone',
  text: `
SELECT (SELECT turn_count > 0 FROM users WHERE user_id = $1) AS "hasTurns",
  ARRAY(SELECT json_build_object('id', id, 'idleAt', idle_at) FROM threads WHERE user_id = $1 AND state = 'OPEN') AS open,
  ARRAY(SELECT id FROM threads WHERE user_id = $1 AND segmented_through < turn_count) AS uncut,
  ARRAY(SELECT id FROM threads WHERE user_id = $1 AND compacted_through < turn_count) AS uncompacted,
  json_build_object(${RESUMED.map(([change, subjects]) => `'${change}', ARRAY(${subjects})`).join(', ')}) AS resumed`,
};

type Undone = {
  hasTurns: boolean;
  open: { id: number; idleAt: string }[];
  uncut: number[];
  uncompacted: number[];
  resumed: Partial<Record<ChangeKind, number[]>>;
};

/**
 * Has everything made that an archive does not hold, and goes on with what was to be done. Summaries wait for the turns' vectors.
 * Runs in the transaction of `write`.
 */
export async function resume(tx: Tx, now: Date): Promise<void> {
  const [row] = await tx.query<Undone>(UNDONE, [tx.userId]);
  const { hasTurns, open, uncut, uncompacted, resumed } = row as Undone;
  tx.changed('memoryImported');
  tx.changed('summariesToEmbed', 0, new Date(now.getTime() + (hasTurns ? DAY : 0)));
  for (const { id, idleAt } of open) tx.changed('threadActive', id, new Date(idleAt));
  for (const id of uncut) tx.changed('turnsPending', id);
  for (const id of uncompacted) tx.changed('threadCaptured', id);
  for (const [change, subjects] of Object.entries(resumed)) {
    for (const id of subjects) tx.changed(change as ChangeKind, id);
  }
  for (const id of await turnsToRead(tx)) tx.changed('sourcesForgotten', id);
}
