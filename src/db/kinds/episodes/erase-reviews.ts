import {
  type FadingState,
  firstState,
  type MemoryRating,
  reviewed,
} from '../../../domain/episodes/forgetting.ts';
import type { Statement, Tx } from '../../core/database.ts';
import { fades } from './fades.ts';

const ERASE: Statement = {
  name: 'forget-reviews',
  text: `
WITH gone AS (
  DELETE FROM episode_reviews r WHERE r.user_id = $1 AND EXISTS (
    SELECT FROM turns t WHERE t.user_id = $1 AND t.id = ANY($2::int[]) AND t.thread_id = r.thread_id
      AND t.id > r.after_turn_id AND t.id <= r.through_turn_id)
  RETURNING episode_id, number
)
SELECT e.id, e.ended_at AS "endedAt", coalesce(e.surprise, 0) AS surprise, (SELECT count(*)::int FROM gone) AS reviews, (
  SELECT coalesce(json_agg(json_build_object('number', r.number, 'rating', r.rating, 'at', r.at) ORDER BY r.number), '[]')
  FROM episode_reviews r WHERE r.user_id = $1 AND r.episode_id = e.id
    AND NOT EXISTS (SELECT FROM gone g WHERE g.episode_id = r.episode_id AND g.number = r.number)
) AS rest
FROM episodes e WHERE e.user_id = $1 AND e.id IN (SELECT episode_id FROM gone) AND ${fades('e')}`,
};

type Reviewed = {
  id: number;
  endedAt: Date;
  surprise: number;
  reviews: number;
  rest: { number: number; rating: MemoryRating; at: string }[];
};

const REPLAY: Statement = {
  name: 'forget-reviews-replay',
  text: `
WITH left_over AS (
  SELECT * FROM json_to_recordset($2::json) AS l("episodeId" int, number int, at timestamptz, "stabilityBefore" float8,
    "difficultyBefore" float8, stability float8, difficulty float8)
), moved AS (
  UPDATE episode_reviews r SET at = l.at, stability_before = l."stabilityBefore",
    difficulty_before = l."difficultyBefore", stability = l.stability, difficulty = l.difficulty
  FROM left_over l WHERE r.user_id = $1 AND r.episode_id = l."episodeId" AND r.number = l.number
)
UPDATE episodes e SET stability = s.stability, difficulty = s.difficulty, last_reviewed_at = s.at
FROM json_to_recordset($3::json) AS s(id int, stability float8, difficulty float8, at timestamptz)
WHERE e.user_id = $1 AND e.id = s.id`,
};

/**
 * Erases the reviews that rest on talk that is forgotten; the episodes fade as if there had been only the others. Runs
 * before the turns go.
 * @returns how many are gone
 */
export async function eraseReviews(tx: Tx, turnIds: readonly number[]): Promise<number> {
  const episodes = await tx.query<Reviewed>(ERASE, [tx.userId, turnIds]);
  if (episodes.length === 0) return 0;
  const replayed = episodes.map(replay);
  const left = replayed.flatMap(({ reviews }) => reviews);
  const states = replayed.map(({ state }) => state);
  await tx.query(REPLAY, [tx.userId, JSON.stringify(left), JSON.stringify(states)]);
  return episodes[0]?.reviews ?? 0;
}

/** The reviews that are left, one after another from the first state on. */
function replay({ id, endedAt, surprise, rest }: Reviewed) {
  let memory: FadingState = { ...firstState(surprise), since: endedAt };
  const reviews = rest.map(({ number, rating, at }) => {
    const before = memory;
    memory = reviewed(before, rating, new Date(at));
    return {
      episodeId: id,
      number,
      at: memory.since,
      stabilityBefore: before.stability,
      difficultyBefore: before.difficulty,
      stability: memory.stability,
      difficulty: memory.difficulty,
    };
  });
  const { stability, difficulty, since } = memory;
  return { state: { id, stability, difficulty, at: rest.length > 0 ? since : null }, reviews };
}
