import {
  ARCHIVE_KINDS,
  ARCHIVE_ROWS,
  type ArchiveKind,
  columnsOf,
} from '../../domain/archive/archive.ts';
import { InvalidArchive } from '../../domain/core/errors.ts';
import type { Statement, Tx } from '../core/database.ts';

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

/** A thread's CROSS_THREAD episode comes after it. */
const LATER = 'cross_thread_episode_id';

const staged = (kind: ArchiveKind): string =>
  `FROM archive_lines AS a CROSS JOIN LATERAL jsonb_populate_record(NULL::${ARCHIVE_ROWS[kind].table}, a.line) AS r
WHERE a.kind = '${kind}'`;

/** What an archive does not say of its rows. */
const ADDED: Partial<Record<ArchiveKind, { column: string; value: string }>> = {
  link: { column: 'imported', value: 'true' },
};

/** All rows of a kind at once: those that refer to each other are checked when they are all there. */
const insert = (kind: ArchiveKind): Statement => {
  const columns = columnsOf(kind).filter((column) => column !== LATER);
  const values = columns.map((column) => `r.${column}`);
  const added = ADDED[kind];
  if (added) {
    columns.push(added.column);
    values.push(added.value);
  }
  return {
    name: `archive-insert-${kind}`,
    text: `
INSERT INTO ${ARCHIVE_ROWS[kind].table} (user_id, ${columns.join(', ')})
SELECT $1, ${values.join(', ')} ${staged(kind)}`,
  };
};

const SET_USER: Statement = {
  name: 'archive-set-user',
  text: `
UPDATE users u SET ${columnsOf('user')
    .map((column) => `${column} = r.${column}`)
    .join(', ')} ${staged('user')} AND u.user_id = $1`,
};

const JOIN_THREADS: Statement = {
  name: 'archive-join-threads',
  text: `
WITH joined AS MATERIALIZED (
  SELECT (line ->> 'id')::int AS id, (line ->> '${LATER}')::int AS episode_id FROM archive_lines
  WHERE kind = 'thread' AND line ->> '${LATER}' IS NOT NULL
)
UPDATE threads t SET ${LATER} = j.episode_id FROM joined j WHERE t.user_id = $1 AND t.id = j.id`,
};

/** Numbers are never given twice, and sizes are those of the rows, whatever an archive says. */
const COUNT_USER: Statement = {
  name: 'archive-count-user',
  text: `
UPDATE users SET
  turn_count = (SELECT count(*) FROM turns WHERE user_id = $1),
  word_count = (SELECT coalesce(sum(word_count), 0) FROM turns WHERE user_id = $1),
  last_thread = greatest(last_thread, (SELECT max(id) FROM threads WHERE user_id = $1)),
  last_turn = greatest(last_turn, (SELECT max(id) FROM turns WHERE user_id = $1)),
  last_event = greatest(last_event, (SELECT max(number) FROM memory_events WHERE user_id = $1)),
  last_episode = greatest(last_episode, (SELECT max(id) FROM episodes WHERE user_id = $1)),
  last_fact = greatest(last_fact, (SELECT max(id) FROM facts WHERE user_id = $1)),
  last_semantic_memory = greatest(last_semantic_memory, (SELECT max(id) FROM semantic_memories WHERE user_id = $1)),
  last_profile = greatest(last_profile, (SELECT max(version) FROM profiles WHERE user_id = $1)),
  last_link = greatest(last_link, (SELECT max(id) FROM links WHERE user_id = $1)),
  trimmed_event = least(trimmed_event, last_event, (SELECT min(number) - 1 FROM memory_events WHERE user_id = $1))
WHERE user_id = $1`,
};

const COUNT_THREADS: Statement = {
  name: 'archive-count-threads',
  text: `
UPDATE threads t SET turn_count = c.count FROM (
  SELECT id, (SELECT count(*) FROM turns WHERE user_id = $1 AND thread_id = threads.id) AS count
  FROM threads WHERE user_id = $1
) AS c WHERE t.user_id = $1 AND t.id = c.id AND t.turn_count <> c.count`,
};

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
  await tx.query(SET_USER, [tx.userId]);
  for (const kind of ARCHIVE_KINDS) if (kind !== 'user') await tx.query(insert(kind), [tx.userId]);
  for (const statement of [JOIN_THREADS, COUNT_USER, COUNT_THREADS]) {
    await tx.query(statement, [tx.userId]);
  }
}

/** Data that a column does not take (class 22), that break a constraint (23), or are too large for an index (54). */
const isOfData = (error: unknown): boolean =>
  /^(2[23]|54)/.test(String((error as { code?: unknown }).code));

const UNDONE: Statement = {
  name: 'archive-undone',
  text: `
SELECT EXISTS (SELECT FROM turns WHERE user_id = $1) AS "hasTurns",
  ARRAY(SELECT json_build_object('id', id, 'idleAt', idle_at) FROM threads WHERE user_id = $1 AND state = 'OPEN') AS open,
  ARRAY(SELECT id FROM threads WHERE user_id = $1 AND segmented_through < turn_count) AS uncut,
  ARRAY(SELECT id FROM threads WHERE user_id = $1 AND compacted_through < turn_count) AS uncompacted,
  ARRAY(SELECT DISTINCT thread_id FROM shown_episodes WHERE user_id = $1) AS shown,
  ARRAY(SELECT id FROM episodes WHERE user_id = $1 AND kind = 'CROSS_THREAD') AS across`,
};

type Undone = {
  hasTurns: boolean;
  open: { id: number; idleAt: string }[];
  uncut: number[];
  uncompacted: number[];
  shown: number[];
  across: number[];
};

const DAY = 86_400_000;

/** Has everything made that an archive does not hold, and goes on with what was to be done. Summaries wait for the turns' vectors. */
export async function resume(tx: Tx, now: Date): Promise<void> {
  const [row] = await tx.query<Undone>(UNDONE, [tx.userId]);
  const { hasTurns, open, uncut, uncompacted, shown, across } = row as Undone;
  tx.changed('memoryImported');
  tx.changed('summariesToEmbed', 0, new Date(now.getTime() + (hasTurns ? DAY : 0)));
  for (const { id, idleAt } of open) tx.changed('threadActive', id, new Date(idleAt));
  for (const id of uncut) tx.changed('turnsPending', id);
  for (const id of uncompacted) tx.changed('threadCaptured', id);
  for (const id of shown) tx.changed('episodesShown', id);
  for (const id of across) tx.changed('crossThreadChanged', id);
}
