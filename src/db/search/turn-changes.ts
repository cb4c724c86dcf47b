import { readCues } from '../../domain/ranking/ranking-cues.ts';
import type { TurnQuery } from '../../domain/ranking/select-turns.ts';
import { parseNumbers } from '../core/columns.ts';
import type { Statement, Tx } from '../core/database.ts';
import { readHalfvecs } from '../core/vectors.ts';
import {
  readSegmentVersions,
  type SegmentVersionRow,
  type SegmentVersions,
  segmentVersionsSql,
} from '../threads/segment-summaries.ts';
import { millisecondsSql, postingsSql, readPostings } from './scan-turns.ts';
import type { TurnSearch } from './search.ts';

/**
 * Reads the turns and vectors that were added after two given ids; ids follow the order of commits without gaps. `follows`
 * is false if the numbers of earlier turns may have changed: a forget raises the epoch, a late turn the count of late ones.
 *
 * $1 user · $2 embedder · $3 epoch, null = any · $4 late turns · $5 last turn read · $6 last vector read · $7 most
 */
const changesSql = (columns = '', joins = ''): string => `
WITH state AS MATERIALIZED (
  SELECT u.erase_epoch, u.last_turn, u.turn_count, u.word_count, u.time_zone, t.threads, t.late, p.through,
    $3::int IS NULL OR (
      u.erase_epoch = $3 AND t.late = $4::float8 AND u.last_turn >= $5::int AND p.through >= $6::int) AS follows
  FROM users u CROSS JOIN LATERAL (
    SELECT count(*)::int AS threads, coalesce(sum(late_turns), 0)::float8 AS late FROM threads WHERE user_id = $1
  ) AS t CROSS JOIN LATERAL (
    SELECT coalesce(max(through), 0) AS through FROM index_progress WHERE user_id = $1 AND index_name = 'vectors:' || $2::text
  ) AS p
  WHERE u.user_id = $1
)
SELECT s.follows, s.erase_epoch AS epoch, s.late, s.last_turn AS "lastTurn", s.through,
  greatest(s.turn_count, 1) AS turns, s.word_count::float8 / greatest(s.turn_count, 1) AS "meanWords",
  s.time_zone AS "timeZone", s.threads, t.ids, t."threadIds", t.numbers, t.words, t.times, t.channels, t.speakers,
  t.roles, t.cues, t.turn,
  v."vectorIds", v.vectors, v.vector${columns}
FROM state AS s
CROSS JOIN LATERAL (
  SELECT array_agg(id)::text AS ids, array_agg(thread_id)::text AS "threadIds", array_agg(number)::text AS numbers,
    array_agg(word_count)::text AS words, array_agg(${millisecondsSql('occurred_at')})::text AS times,
    json_agg(channel) AS channels, json_agg(speaker) AS speakers, json_agg(role) AS roles, array_agg(coalesce(cues, 0))::text AS cues,
    CASE WHEN count(*) < $7::int THEN s.last_turn ELSE max(id) END AS turn
  FROM (
    SELECT id, thread_id, number, word_count, occurred_at, channel, speaker, role, cues FROM turns
    WHERE user_id = $1 AND s.follows AND id > $5 ORDER BY id LIMIT $7
  ) AS next
) AS t
CROSS JOIN LATERAL (
  SELECT array_agg(turn_id)::text AS "vectorIds", string_agg(halfvec_send(embedding), '') AS vectors,
    CASE WHEN count(*) < $7 THEN least(s.through, t.turn) ELSE max(turn_id) END AS vector
  FROM (
    SELECT turn_id, embedding FROM turn_vectors
    WHERE user_id = $1 AND embedder = $2 AND s.follows AND turn_id > $6 AND turn_id <= least(s.through, t.turn)
    ORDER BY turn_id LIMIT $7
  ) AS next
) AS v${joins}`;

const CHANGES: Statement = { name: 'turn-changes', text: changesSql() };

/**
 * Also reads the postings of a query's terms ($8), and the closed segments with their version. For a memory of more than $9
 * turns these are left out: it is faster to read those of the relevant threads later.
 */
const FOUND: Statement = {
  name: 'turn-changes-found',
  text: changesSql(
    ', p.postings, d.*',
    `
CROSS JOIN LATERAL (${postingsSql('$8', 's.follows')}) AS p
CROSS JOIN LATERAL (${segmentVersionsSql('$2', 's.follows AND s.turn_count <= $9::int')}) AS d`,
  ),
};

/** How far a memory has been read: its epoch, the count of late turns, the last turn and vector. Null if nothing was read. */
export type Reached = {
  epoch: number | null;
  late: number | null;
  turn: number;
  vector: number;
};

type Row = Record<
  'ids' | 'threadIds' | 'numbers' | 'words' | 'times' | 'cues' | 'vectorIds',
  string | null
> & {
  follows: boolean;
  epoch: number;
  late: number;
  turn: number;
  vector: number;
  lastTurn: number;
  through: number;
  turns: number;
  meanWords: number;
  timeZone: string | null;
  threads: number;
  channels: string[] | null;
  speakers: (string | null)[] | null;
  roles: string[] | null;
  vectors: Buffer | null;
};

export type Changes = ReturnType<typeof readChanges>;

function readChanges(row: Row) {
  const { epoch, late, turn, vector, lastTurn, through, turns, threads, meanWords } = row;
  const vectorIds = parseNumbers(row.vectorIds);
  const stored = parseNumbers(row.cues);
  return {
    reached: { epoch, late, turn, vector },
    /** Whether nothing is left to read. */
    isAll: turn === lastTurn && vector === Math.min(through, turn),
    /** In the order of their ids. */
    added: {
      ids: parseNumbers(row.ids),
      threadIds: parseNumbers(row.threadIds),
      numbers: parseNumbers(row.numbers),
      words: parseNumbers(row.words),
    },
    cues: parseNumbers(row.times).map((time, index) => ({
      speaker: row.speakers?.[index] ?? null,
      occurredAt: new Date(time),
      ...readCues(stored[index] ?? 0, row.roles?.[index] ?? 'USER'),
    })),
    channels: row.channels ?? [],
    vectorIds,
    vectors: readHalfvecs(row.vectors ?? Buffer.alloc(0), vectorIds.length),
    statistics: { turns, threads, meanWords },
    timeZone: row.timeZone,
    through,
  };
}

const sinceValues = (
  userId: string,
  embedder: string,
  { epoch, late, turn, vector }: Reached,
  most: number,
) => [userId, embedder, epoch, late, turn, vector, most];

/** Reads the next turns and vectors, `most` of each; null if the memory was changed other than by adding turns. */
export async function turnChanges(
  tx: Tx,
  embedder: string,
  since: Reached,
  most: number,
): Promise<Changes | null> {
  const [row] = await tx.query<Row>(CHANGES, sinceValues(tx.userId, embedder, since, most));
  return row?.follows ? readChanges(row) : null;
}

type FoundRow = Row & SegmentVersionRow & { postings: string | null };

export type Found = {
  changes: Changes;
  postings: TurnQuery['postings'];
  /** Null for a larger memory. */
  segments: SegmentVersions | null;
};

/** The same, with the postings of a query's terms and, for a small memory, its closed segments. */
export async function turnChangesFound(
  tx: Tx,
  { terms, embedder }: Pick<TurnSearch, 'terms' | 'embedder'>,
  since: Reached,
  { changes: most, small }: { changes: number; small: number },
): Promise<Found | null> {
  const values = [...sinceValues(tx.userId, embedder, since, most), terms, small];
  const [row] = await tx.query<FoundRow>(FOUND, values);
  if (!row?.follows) return null;
  return {
    changes: readChanges(row),
    postings: readPostings(row.postings),
    segments: row.turns <= small ? readSegmentVersions(row) : null,
  };
}

const STATE: Statement = {
  name: 'turn-changes-state',
  text: `SELECT erase_epoch AS epoch,
  (SELECT coalesce(sum(late_turns), 0)::float8 FROM threads WHERE user_id = $1) AS late FROM users WHERE user_id = $1`,
};

/** Whether the epoch and the late turns are those of an earlier reading. */
export async function isReached(tx: Tx, { epoch, late }: Reached): Promise<boolean> {
  const [row] = await tx.query<Pick<Reached, 'epoch' | 'late'>>(STATE, [tx.userId]);
  return row?.epoch === epoch && row.late === late;
}
