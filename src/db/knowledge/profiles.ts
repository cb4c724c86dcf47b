import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { Statement, Tx } from '../core/database.ts';
import type { KnownFact } from '../facts/recalled.ts';
import { sessionEnd } from '../threads/session-end.ts';

/** A currently valid fact, with the fields that a profile is made from. */
export type ProfileFact = Pick<
  KnownFact,
  'id' | 'category' | 'key' | 'value' | 'statement' | 'polarity' | 'validFrom'
>;

/** SQL that turns a row of facts into a ProfileFact as JSON. @param fact the row's alias */
export const factJson = (fact: string): string =>
  factSaidJson(fact, {
    value: `${fact}.value`,
    statement: `${fact}.statement`,
    validFrom: `${fact}.valid_from`,
  });

/** The same with other words and another beginning, given as SQL. */
export const factSaidJson = (
  fact: string,
  { value, statement, validFrom }: Record<'value' | 'statement' | 'validFrom', string>,
): string =>
  `json_build_object('id', ${fact}.id, 'category', ${fact}.category, 'key', ${fact}.key, 'value', ${value},
    'statement', ${statement}, 'polarity', ${fact}.polarity, 'validFrom', ${validFrom})`;

/** Parses what `factJson` produced. */
export const factOf = (fact: Json<ProfileFact>): ProfileFact => ({
  ...fact,
  validFrom: new Date(fact.validFrom),
});

/** What a profile is made from. */
export type ProfileMaterial = {
  /** The erase epoch under which this was read. */
  epoch: number;
  timeZone: string | null;
  /** The facts that are valid, the most important and most certain first. */
  facts: ProfileFact[];
  /** All semantic memories that have a summary, the earliest first. */
  memories: { id: number; summary: string; endedAt: Date }[];
  /**
   * Whether a new version is needed: a fact of the current version is no longer valid; or, while no memory is stale, a fact
   * was recorded by hand, a session has ended since something changed, or the current version was erased.
   */
  isDue: boolean;
  /** When the next of the known facts begins or ends; null if none does. */
  changesAt: Date | null;
};

/** The most facts in one profile. */
const MOST_FACTS = 80;
/** The longest statement that is used. Longer notes contain more than what is lastingly true. */
const MOST_CHARACTERS = 300;
/** Less certain facts are not used: a profile decides how a person is treated. */
const LEAST_CONFIDENCE = 0.5;

/** SQL for whether a fact is believed and valid. @param fact the row's alias @param at a timestamp, such as a parameter */
export const holdsAt = (fact: string, at: string): string =>
  `${fact}.retracted_at IS NULL AND ${fact}.valid_from <= ${at} AND (${fact}.valid_to IS NULL OR ${fact}.valid_to > ${at})`;

/** SQL for whether a profile may be made from a fact while it is valid. @param fact the row's alias */
const isForProfiles = (fact: string): string =>
  `${fact}.confidence >= ${LEAST_CONFIDENCE} AND length(${fact}.statement) <= ${MOST_CHARACTERS}
    AND NOT (${fact}.category = 'EXPERIENCE' AND ${fact}.origin = 'NOTE')`;

/** SQL for whether a profile was made from a fact that is no longer valid. */
export const isOutdated = (profile: string, at: string): string =>
  `EXISTS (SELECT FROM unnest(${profile}.source_fact_ids) AS s(id) WHERE NOT EXISTS (
    SELECT FROM facts valid WHERE valid.user_id = $1 AND valid.id = s.id AND ${holdsAt('valid', at)} OFFSET 0))`;

const MATERIAL: Statement = {
  name: 'profiles-material',
  text: `
WITH current AS MATERIALIZED (
  SELECT user_id, version, source_semantic_ids, source_fact_ids, stale_at FROM profiles WHERE user_id = $1
  ORDER BY version DESC LIMIT 1
), ${sessionEnd('$2::timestamptz')}, memories AS MATERIALIZED (
  SELECT id, summary, ended_at, stale_at FROM semantic_memories WHERE user_id = $1
), valid AS MATERIALIZED (
  SELECT id, category, key, value, statement, polarity, valid_from, origin, row_number() OVER (
    ORDER BY pinned DESC, importance DESC, confidence DESC, mentions DESC, valid_from DESC, id) AS place
  FROM facts f WHERE user_id = $1 AND ${holdsAt('f', '$2')} AND ${isForProfiles('f')}
  ORDER BY place LIMIT ${MOST_FACTS}
)
SELECT u.erase_epoch AS epoch, u.time_zone AS "timeZone", (
  SELECT coalesce(json_agg(${factJson('valid')} ORDER BY place), '[]') FROM valid
) AS facts, (
  SELECT coalesce(json_agg(json_build_object('id', id, 'summary', summary, 'endedAt', ended_at)
    ORDER BY ended_at, id), '[]') FROM memories WHERE summary IS NOT NULL
) AS memories,
EXISTS (SELECT FROM current c WHERE ${isOutdated('c', '$2')})
OR (EXISTS (SELECT FROM memories) OR EXISTS (SELECT FROM valid))
AND NOT EXISTS (SELECT FROM memories WHERE stale_at IS NOT NULL) AND (
  u.last_profile > coalesce((SELECT version FROM current), 0)
  OR EXISTS (
    SELECT FROM memories m WHERE m.ended_at <= (SELECT at FROM session_end) AND NOT EXISTS (
      SELECT FROM current c WHERE c.stale_at IS NULL AND m.id = ANY(c.source_semantic_ids)))
  OR EXISTS (
    SELECT FROM valid v WHERE (v.origin = 'HAND' OR v.valid_from <= (SELECT at FROM session_end)) AND NOT EXISTS (
      SELECT FROM current c WHERE c.stale_at IS NULL AND v.id = ANY(c.source_fact_ids)))) AS "isDue", (
  SELECT min(CASE WHEN f.valid_from > $2 THEN f.valid_from ELSE f.valid_to END) FROM facts f
  WHERE f.user_id = $1 AND f.retracted_at IS NULL AND (f.valid_from > $2 OR f.valid_to > $2) AND ${isForProfiles('f')}
) AS "changesAt"
FROM users u WHERE u.user_id = $1`,
};

export type Json<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };
type Row = Omit<ProfileMaterial, 'facts' | 'memories'> & {
  facts: Json<ProfileFact>[];
  memories: Json<ProfileMaterial['memories'][number]>[];
};

/** Reads what a profile is made from; null for an unknown user. @param now the time at which facts must be valid */
export async function material(tx: Tx, now: Date): Promise<ProfileMaterial | null> {
  const [row] = await tx.query<Row>(MATERIAL, [tx.userId, now]);
  if (!row) return null;
  const facts = row.facts.map(factOf);
  const memories = row.memories.map((one) => ({ ...one, endedAt: new Date(one.endedAt) }));
  return { ...row, facts, memories };
}

/** A new version of a profile, before it is stored. */
export type ProfileDraft = {
  communication: string;
  technical: string;
  workPattern: string;
  personalContext: string;
  prose: string;
  generatedBy: GeneratedBy;
  model: string;
};

/** `current` has a row only if none of the sources has changed since they were read. */
const IS_CURRENT = `
shown AS MATERIALIZED (SELECT * FROM json_to_recordset($2::json) AS s(id int, summary text)),
stated AS MATERIALIZED (SELECT * FROM json_to_recordset($3::json) AS s(id int, statement text)),
current AS MATERIALIZED (
  SELECT last_profile FROM users WHERE user_id = $1
    AND (SELECT count(*) FROM shown) = (SELECT count(*) FROM shown s
      JOIN semantic_memories m ON m.user_id = $1 AND m.id = s.id AND m.summary = s.summary)
    AND (SELECT count(*) FROM stated) = (SELECT count(*) FROM stated s
      JOIN facts f ON f.user_id = $1 AND f.id = s.id AND f.statement = s.statement AND ${holdsAt('f', '$5')})
), draft AS MATERIALIZED (
  SELECT * FROM json_to_recordset(json_build_array($4::json)) AS d(communication text, technical text, "workPattern" text,
    "personalContext" text, prose text, "generatedBy" "GeneratedBy", model text)
)`;

/** If the text is the same, only the sources of the current version are updated. */
const KEEP: Statement = {
  name: 'profiles-keep',
  text: `
WITH ${IS_CURRENT}
UPDATE profiles p SET source_semantic_ids = ARRAY(SELECT id FROM shown ORDER BY id),
  source_fact_ids = ARRAY(SELECT id FROM stated ORDER BY id), stale_at = NULL
FROM draft d, current c WHERE p.user_id = $1 AND p.version = c.last_profile
  AND (p.communication, p.technical, p.work_pattern, p.personal_context, p.prose, p.generated_by, p.model)
    = (d.communication, d.technical, d."workPattern", d."personalContext", d.prose, d."generatedBy", d.model)
RETURNING p.version`,
};

const SAVE: Statement = {
  name: 'profiles-save',
  text: `
WITH ${IS_CURRENT}, counted AS (
  UPDATE users SET last_profile = last_profile + 1 WHERE user_id = $1 AND EXISTS (SELECT FROM current)
  RETURNING last_profile AS version
)
INSERT INTO profiles (user_id, version, communication, technical, work_pattern, personal_context, prose,
  source_semantic_ids, source_fact_ids, generated_by, model, recorded_at)
SELECT $1, version, d.communication, d.technical, d."workPattern", d."personalContext", d.prose,
  ARRAY(SELECT id FROM shown ORDER BY id), ARRAY(SELECT id FROM stated ORDER BY id), d."generatedBy", d.model, $5
FROM counted, draft d
RETURNING version`,
};

/**
 * Stores a new version, unless the current one has the same text. The user's row must be locked.
 * @returns the current version's number and whether it is new; null, with nothing stored, if a source changed meanwhile
 */
export async function save(
  tx: Tx,
  { facts, memories }: Pick<ProfileMaterial, 'facts' | 'memories'>,
  draft: ProfileDraft,
  now: Date,
): Promise<{ version: number; isNew: boolean } | null> {
  const shown = memories.map(({ id, summary }) => ({ id, summary }));
  const stated = facts.map(({ id, statement }) => ({ id, statement }));
  const lists = [shown, stated, draft].map((list) => JSON.stringify(list));
  const values = [tx.userId, ...lists, now];
  const [kept] = await tx.query<{ version: number }>(KEEP, values);
  if (kept) return { version: kept.version, isNew: false };
  const [row] = await tx.query<{ version: number }>(SAVE, values);
  return row ? { version: row.version, isNew: true } : null;
}

const ERASE: Statement = {
  name: 'profiles-erase',
  text: `
WITH gone AS (
  DELETE FROM profiles WHERE user_id = $1 AND source_fact_ids && $2::int[] RETURNING 1
)
SELECT count(*)::int AS profiles FROM gone`,
};

/** Erases every version that was made from one of these facts, which are being forgotten. @returns how many */
export async function eraseMadeFrom(tx: Tx, factIds: readonly number[]): Promise<number> {
  if (factIds.length === 0) return 0;
  const [row] = await tx.query<{ profiles: number }>(ERASE, [tx.userId, factIds]);
  const { profiles } = row as { profiles: number };
  if (profiles > 0) tx.changed('profileOutdated');
  return profiles;
}

const MARK_STALE: Statement = {
  name: 'profiles-mark-stale',
  text: `
UPDATE profiles SET stale_at = coalesce(stale_at, $2)
WHERE user_id = $1 AND version = (SELECT max(version) FROM profiles WHERE user_id = $1)`,
};

/** Marks the current version as stale, when nothing is left to make a new one from. The user's row must be locked. */
export const markStale = (tx: Tx, now: Date): Promise<object[]> =>
  tx.query(MARK_STALE, [tx.userId, now]);
