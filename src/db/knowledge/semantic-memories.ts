import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { Source } from './semantic-memory-sources.ts';

/** A semantic memory to be stored. */
export type SemanticMemoryDraft = {
  /** Null for a new one. */
  id: number | null;
  summary: string;
  generatedBy: GeneratedBy;
  model: string;
  /** Earlier memories whose words it may repeat. */
  contextIds: number[];
};

const IS_CURRENT: Statement = {
  name: 'semantic-memories-is-current',
  text: `
SELECT count(*) = json_array_length($3::json) AS "isCurrent" FROM json_to_recordset($3::json) AS shown(id int, summary text)
JOIN episodes e ON e.user_id = $1 AND e.id = shown.id AND e.summary = shown.summary AND e.capture = 'CREATED'
  AND e.summarized_into_id IS NOT DISTINCT FROM $2::int`,
};

/** Whether the episodes are unchanged since the summary was begun. */
const isCurrent = async (
  tx: Tx,
  memoryId: number | null,
  summarised: readonly Source[],
): Promise<boolean> => {
  const shown = JSON.stringify(summarised.map(({ id, summary }) => ({ id, summary })));
  const [row] = await tx.query<{ isCurrent: boolean }>(IS_CURRENT, [tx.userId, memoryId, shown]);
  return row?.isCurrent ?? false;
};

/** Takes an episode out of its memory. */
const LEAVE =
  'former_memory_ids = array_append(former_memory_ids, summarized_into_id), summarized_into_id = NULL';

/**
 * An episode that leaves a memory keeps its number, and a memory the numbers of what former summaries of it were written with: a
 * profile that was made of these may repeat their words, and is found by them when they are forgotten.
 */
const SAVE: Statement = {
  name: 'semantic-memories-save',
  text: `
WITH draft AS (
  SELECT * FROM json_to_recordset(json_build_array($2::json)) AS d(id int, summary text, "generatedBy" "GeneratedBy", model text,
    "contextIds" int[])
), counted AS (
  UPDATE users SET last_semantic_memory = last_semantic_memory + 1
  WHERE user_id = $1 AND EXISTS (SELECT FROM draft WHERE id IS NULL) RETURNING last_semantic_memory AS id
), numbered AS (
  SELECT coalesce(d.id, counted.id) AS id FROM draft d LEFT JOIN counted ON true
), measured AS (
  SELECT min(started_at) AS started_at, max(ended_at) AS ended_at, sum(last_turn - first_turn + 1)::int AS turns
  FROM episodes WHERE user_id = $1 AND (id = ANY($3::int[]) OR merged_into_id = ANY($3::int[]))
), contexts AS (
  SELECT ARRAY(SELECT unnest("contextIds") FROM draft UNION SELECT unnest(context_ids) FROM semantic_memories
    WHERE user_id = $1 AND id = (SELECT id FROM draft) ORDER BY 1) AS ids
), left_out AS (
  UPDATE episodes SET ${LEAVE}
  WHERE user_id = $1 AND summarized_into_id = (SELECT id FROM draft) AND id <> ALL($3::int[])
), stale_vectors AS (
  DELETE FROM semantic_memory_vectors WHERE user_id = $1 AND semantic_memory_id = (SELECT id FROM draft)
), stale_profiles AS (
  UPDATE profiles SET stale_at = coalesce(stale_at, $4)
  WHERE user_id = $1 AND (SELECT id FROM draft) = ANY(source_semantic_ids)
), written AS (
  INSERT INTO semantic_memories (user_id, id, summary, generated_by, model, context_ids, started_at, ended_at,
    episode_count, turn_count, recorded_at)
  SELECT $1, n.id, d.summary, d."generatedBy", d.model, contexts.ids, m.started_at, m.ended_at,
    cardinality($3::int[]), m.turns, $4 FROM draft d, numbered n, measured m, contexts
  ON CONFLICT (user_id, id) DO UPDATE SET summary = excluded.summary, generated_by = excluded.generated_by,
    model = excluded.model, context_ids = excluded.context_ids, started_at = excluded.started_at,
    ended_at = excluded.ended_at, episode_count = excluded.episode_count, turn_count = excluded.turn_count,
    recorded_at = excluded.recorded_at, stale_at = NULL
  RETURNING id, episode_count AS "episodeCount", turn_count AS "turnCount"
), taken AS (
  UPDATE episodes SET summarized_into_id = (SELECT id FROM written) WHERE user_id = $1 AND id = ANY($3::int[])
)
SELECT * FROM written`,
};

/** What was stored of a memory. */
export type SavedMemory = { id: number; episodeCount: number; turnCount: number };

/**
 * Stores a semantic memory. The user's row must be locked.
 * @param summarised its episodes, as they were read
 * @returns null, with nothing stored, if an episode changed meanwhile
 */
export async function save(
  tx: Tx,
  draft: SemanticMemoryDraft,
  summarised: readonly Source[],
  now: Date,
): Promise<SavedMemory | null> {
  if (!(await isCurrent(tx, draft.id, summarised))) return null;
  const ids = summarised.map(({ id }) => id);
  const values = [tx.userId, JSON.stringify(draft), ids, now];
  return (await tx.query<SavedMemory>(SAVE, values))[0] ?? null;
}

const DROP_EMPTY: Statement = {
  name: 'semantic-memories-drop-empty',
  text: `
WITH empty AS MATERIALIZED (
  SELECT id FROM semantic_memories WHERE user_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT FROM episodes WHERE user_id = $1 AND summarized_into_id = $2
      AND (capture = 'PENDING' OR capture = 'CREATED' AND summary IS NOT NULL))
), released AS (
  UPDATE episodes SET ${LEAVE} WHERE user_id = $1 AND summarized_into_id = (SELECT id FROM empty)
), stale_profiles AS (
  UPDATE profiles SET stale_at = coalesce(stale_at, $3)
  WHERE user_id = $1 AND (SELECT id FROM empty) = ANY(source_semantic_ids)
)
DELETE FROM semantic_memories WHERE user_id = $1 AND id = (SELECT id FROM empty) RETURNING id`,
};

/**
 * Drops a memory that has no episodes with words left. The user's row must be locked.
 * @returns false, with nothing changed, if it has some
 */
export const dropEmpty = async (tx: Tx, memoryId: number, now: Date): Promise<boolean> =>
  (await tx.query(DROP_EMPTY, [tx.userId, memoryId, now])).length > 0;

const MARK_STALE: Statement = {
  name: 'semantic-memories-mark-stale',
  text: `
WITH stale AS (
  UPDATE semantic_memories SET stale_at = coalesce(stale_at, $3)
  WHERE user_id = $1 AND id IN (
    SELECT summarized_into_id FROM episodes WHERE user_id = $1 AND id = ANY($2::int[])) RETURNING id
)
UPDATE profiles p SET stale_at = coalesce(p.stale_at, $3)
WHERE p.user_id = $1 AND p.source_semantic_ids && ARRAY(SELECT id FROM stale)`,
};

/** Marks the semantic memories of changed episodes, and the profiles made from these, as stale. */
export const markStale = (tx: Tx, episodeIds: readonly number[], now: Date): Promise<object[]> =>
  tx.query(MARK_STALE, [tx.userId, episodeIds, now]);
