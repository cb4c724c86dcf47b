import { SEARCHED_CHARACTERS } from '../../domain/turns/turn.ts';
import type { Statement, Tx } from '../core/database.ts';

/** A turn that an index has not seen yet. */
export type UnindexedTurn = {
  id: number;
  threadId: number;
  speaker: string | null;
  text: string;
  /** See `rankingCuesOf`; null = not read yet. */
  cues: number | null;
};

/** What an index has to do next for a user. */
export type Pending = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** Up to which turn id the index is complete. */
  through: number;
  turns: UnindexedTurn[];
  /** Whether there were further turns behind these. */
  more: boolean;
};

/** Lengths are known without reading what is long: a turn counts for as many characters as its text has bytes. */
const PENDING: Statement = {
  name: 'index-pending',
  text: `
WITH state AS (
  SELECT u.erase_epoch, coalesce(p.through, 0) AS through
  FROM users u LEFT JOIN index_progress p ON p.user_id = u.user_id AND p.index_name = $2
  WHERE u.user_id = $1
), next_turns AS (
  SELECT id, sum(least(bytes, ${SEARCHED_CHARACTERS})) OVER (ORDER BY id) AS characters
  FROM (
    SELECT id, octet_length(text) AS bytes FROM turns
    WHERE user_id = $1 AND id > (SELECT through FROM state) ORDER BY id LIMIT $3
  ) t
), chosen AS (
  SELECT id, thread_id, speaker, cues, left(text, ${SEARCHED_CHARACTERS}) AS text FROM turns WHERE user_id = $1 AND id = ANY(ARRAY(
    SELECT id FROM next_turns WHERE characters <= $4 OR id = (SELECT min(id) FROM next_turns)))
)
SELECT erase_epoch AS epoch, through, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'threadId', thread_id, 'speaker', speaker, 'text', text, 'cues', cues) ORDER BY id), '[]')
  FROM chosen
) AS turns, (
  SELECT count(*) = $3 OR max(characters) > $4 FROM next_turns
) AS more FROM state`,
};

/** The next turns an index has not seen: at most so many turns and characters, at least one. */
export async function pending(
  tx: Tx,
  indexName: string,
  most: { turns: number; characters: number },
): Promise<Pending> {
  const [row] = await tx.query<Pending>(PENDING, [
    tx.userId,
    indexName,
    most.turns,
    most.characters,
  ]);
  return row ?? { epoch: 0, through: 0, turns: [], more: false };
}

/** A row that is gone was dropped with all that the index held: who saw it may not begin a new one further on. */
const ADVANCE: Statement = {
  name: 'index-advance',
  text: `
WITH moved AS (
  UPDATE index_progress SET through = $4
  WHERE user_id = $1 AND index_name = $2 AND through = $3 AND $3 > 0
  RETURNING through
), started AS (
  INSERT INTO index_progress AS p (user_id, index_name, through)
  SELECT $1, $2, $4 WHERE $3 = 0
  ON CONFLICT (user_id, index_name) DO UPDATE SET through = excluded.through WHERE p.through = $3
  RETURNING through
)
SELECT through FROM moved UNION ALL SELECT through FROM started`,
};

/**
 * Moves an index on, first thing in the transaction that saves its rows, which holds off a forget.
 * @returns false when another worker was faster, or the index was dropped: save nothing
 */
export async function advance(
  tx: Tx,
  indexName: string,
  seen: Pick<Pending, 'through'>,
  through: number,
): Promise<boolean> {
  const rows = await tx.query(ADVANCE, [tx.userId, indexName, seen.through, through]);
  return rows.length === 1;
}
