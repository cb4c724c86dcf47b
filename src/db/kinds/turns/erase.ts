import type { Statement } from '../../core/database.ts';
import type { Erase, Eraser, Forgotten } from '../erase.ts';

const ERASE: Statement = {
  name: 'forget-erase',
  text: `
WITH gone_vectors AS (
  DELETE FROM turn_vectors WHERE user_id = $1 AND turn_id = ANY($2::int[]) RETURNING turn_id
), gone_postings AS (
  DELETE FROM postings WHERE user_id = $1 AND turn_id = ANY($2::int[]) RETURNING turn_id
), gone_turns AS (
  DELETE FROM turns WHERE user_id = $1 AND id = ANY($2::int[]) RETURNING id, key_hash, word_count
), keys AS (
  INSERT INTO erased_keys (user_id, key_hash)
  SELECT $1, key_hash FROM gone_turns WHERE key_hash IS NOT NULL ON CONFLICT DO NOTHING
), counted AS (
  UPDATE users SET turn_count = turn_count - (SELECT count(*) FROM gone_turns),
    word_count = word_count - (SELECT coalesce(sum(word_count), 0) FROM gone_turns)
  WHERE user_id = $1
)
SELECT (SELECT count(*) FROM gone_turns)::int AS turns, (SELECT count(*) FROM gone_postings)::int AS postings,
  (SELECT count(*) FROM gone_vectors)::int AS vectors`,
};

const eraseTurns: Eraser = async (tx, { turnIds }) => {
  const [gone] = await tx.query<Pick<Forgotten, 'turns' | 'postings' | 'vectors'>>(ERASE, [
    tx.userId,
    turnIds,
  ]);
  return gone ?? {};
};

export const erase: Erase = {
  turns: () => eraseTurns,
  turnsOf: 't.id = $3',
  named: { row: 'turns t', id: 't.id', at: 't.occurred_at', text: 't.text' },
};
