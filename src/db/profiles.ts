import type { GeneratedBy } from '../domain/reasoning.ts';
import type { Statement, Tx } from './database.ts';

/** What a profile is made from. */
export type ProfileMaterial = {
  /** The erase epoch under which this was read. */
  epoch: number;
  /** All semantic memories that have a text, the earliest first. */
  memories: { id: number; summary: string }[];
  /** A session has ended since something changed, or the current version was erased; and no memory is stale. */
  isDue: boolean;
};

const MATERIAL: Statement = {
  name: 'profiles-material',
  text: `
WITH current AS MATERIALIZED (
  SELECT version, source_semantic_ids, stale_at FROM profiles WHERE user_id = $1 ORDER BY version DESC LIMIT 1
), session_end AS MATERIALIZED (
  SELECT last_activity_at AS at FROM threads
  WHERE user_id = $1 AND state <> 'OPEN' AND turn_count > 0 AND compacted_through >= turn_count
  ORDER BY last_activity_at DESC LIMIT 1
), memories AS MATERIALIZED (
  SELECT id, summary, ended_at, stale_at FROM semantic_memories WHERE user_id = $1
)
SELECT u.erase_epoch AS epoch, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'summary', summary) ORDER BY ended_at, id), '[]')
  FROM memories WHERE summary IS NOT NULL
) AS memories,
EXISTS (SELECT FROM memories) AND NOT EXISTS (SELECT FROM memories WHERE stale_at IS NOT NULL) AND (
  u.last_profile > coalesce((SELECT version FROM current), 0)
  OR EXISTS (
    SELECT FROM memories m WHERE m.ended_at <= (SELECT at FROM session_end) AND NOT EXISTS (
      SELECT FROM current c WHERE c.stale_at IS NULL AND m.id = ANY(c.source_semantic_ids)))) AS "isDue"
FROM users u WHERE u.user_id = $1`,
};

export async function material(tx: Tx, userId: string): Promise<ProfileMaterial | null> {
  return (await tx.query<ProfileMaterial>(MATERIAL, [userId]))[0] ?? null;
}

/** How to work with a person. */
export type ProfileDraft = {
  communication: string;
  technical: string;
  workPattern: string;
  personalContext: string;
  prose: string;
  generatedBy: GeneratedBy;
  model: string;
};

const SAVE: Statement = {
  name: 'profiles-save',
  text: `
WITH shown AS (
  SELECT * FROM json_to_recordset($3::json) AS s(id int, summary text)
), counted AS (
  UPDATE users SET last_profile = last_profile + 1
  WHERE user_id = $1 AND erase_epoch = $2 AND (SELECT count(*) FROM shown) = (
    SELECT count(*) FROM shown s JOIN semantic_memories m ON m.user_id = $1 AND m.id = s.id AND m.summary = s.summary)
  RETURNING last_profile AS version
)
INSERT INTO profiles (user_id, version, communication, technical, work_pattern, personal_context, prose,
  source_semantic_ids, generated_by, model, recorded_at)
SELECT $1, version, d.communication, d.technical, d."workPattern", d."personalContext", d.prose,
  ARRAY(SELECT id FROM shown ORDER BY id), d."generatedBy", d.model, $5
FROM counted, json_to_record($4::json) AS d(communication text, technical text, "workPattern" text,
  "personalContext" text, prose text, "generatedBy" "GeneratedBy", model text)
RETURNING version`,
};

/**
 * Stores a new version. The user's row must be locked.
 * @returns its number; null when a source has changed or the user has forgotten something meanwhile: nothing was saved
 */
export async function save(
  tx: Tx,
  userId: string,
  { epoch, memories }: Pick<ProfileMaterial, 'epoch' | 'memories'>,
  draft: ProfileDraft,
  now: Date,
): Promise<number | null> {
  const values = [userId, epoch, JSON.stringify(memories), JSON.stringify(draft), now];
  const [row] = await tx.query<{ version: number }>(SAVE, values);
  return row?.version ?? null;
}
