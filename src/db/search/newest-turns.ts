import type { TurnCandidate, TurnCandidates } from '../../domain/ranking/candidate.ts';
import { readCues } from '../../domain/ranking/ranking-cues.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { TurnSearch } from './search.ts';

/** $1 user · $2 from · $3 to · $4 channels · $5 threads · $6 speakers, null = any · $7 most turns */
const NEWEST: Statement = {
  name: 'newest-turns',
  text: `
SELECT t.id, t.thread_id, t.number, t.role::text, t.speaker, t.occurred_at, t.word_count, t.cues, u.time_zone
FROM users AS u CROSS JOIN LATERAL (
  SELECT id, thread_id, number, role, speaker, occurred_at, word_count, cues FROM turns
  WHERE user_id = $1 AND occurred_at >= coalesce($2::timestamptz, '-infinity')
    AND occurred_at < coalesce($3::timestamptz, 'infinity')
    AND ($4::text[] IS NULL OR channel = ANY ($4)) AND ($5::int[] IS NULL OR thread_id = ANY ($5))
    AND ($6::text[] IS NULL OR speaker = ANY ($6))
  ORDER BY occurred_at DESC, id DESC LIMIT $7::int
) AS t
WHERE u.user_id = $1`,
};

type Row = {
  id: number;
  thread_id: number;
  number: number;
  role: string;
  speaker: string | null;
  occurred_at: Date;
  word_count: number;
  cues: number | null;
  time_zone: string | null;
};

/** The newest turns that pass the filter, as candidates that neither a word nor a vector has found; without their texts. */
export async function newestTurns(
  tx: Tx,
  { filter = {}, weights }: Pick<TurnSearch, 'filter' | 'weights'>,
): Promise<TurnCandidates> {
  const { from = null, to = null, channels = null, threadIds = null, speakers = null } = filter;
  const values = [tx.userId, from, to, channels, threadIds, speakers, weights.candidates];
  const rows = await tx.query<Row>(NEWEST, values);
  const none = new Map<number, number>();
  return {
    turns: rows.map(candidateOf),
    statistics: { turns: 0, threads: 0, meanWords: 0, turnsWith: none, threadsWith: none },
    segments: null,
    timeZone: rows[0]?.time_zone ?? null,
    embedded: null,
  };
}

const candidateOf = (row: Row): TurnCandidate => ({
  kind: 'TURN',
  id: row.id,
  threadId: row.thread_id,
  number: row.number,
  wordCount: row.word_count,
  frequencies: new Map(),
  threadTerms: [],
  neighbours: [],
  cues: { speaker: row.speaker, occurredAt: row.occurred_at, ...readCues(row.cues, row.role) },
  content: null,
});
