import type { LinkingSetting } from '../../domain/links/linking.ts';
import type {
  Disagreements,
  LinkingMetrics,
  RatedDecision,
  ThresholdRates,
} from '../../domain/links/linking-metrics.ts';
import type { Database, Statement } from '../core/database.ts';

// These statements read and write settings of the deployment and ratings of all users, without row-level security.
// A scope is a user's id, or '' for the deployment.

export type StoredSetting = LinkingSetting & { scope: string };

const READ: Statement = {
  name: 'linking-settings-read',
  text: `
SELECT user_id AS scope, threshold, weights, hints FROM linking_settings
WHERE user_id IN ($1, '') ORDER BY user_id DESC LIMIT 1`,
};

/** The setting in force for a scope: its own, else the deployment's; null if none was tuned. */
export async function read(db: Database, scope: string): Promise<StoredSetting | null> {
  return (await db.system<StoredSetting>(READ, [scope]))[0] ?? null;
}

/** Ratings from an archive cannot be trusted, so they count only for their own user. */
const OF_SCOPE = `(user_id = $1 OR $1 = '' AND NOT imported)`;

const RATED: Statement = {
  name: 'linking-settings-rated',
  text: `
SELECT user_id AS "userId", json_build_object('keyword', keyword, 'entity', entity, 'topic', topic, 'recency', recency) AS parts,
  reasoner_related AS "reasonerRelated", reasoner_confidence AS "reasonerConfidence", key_signals AS "keySignals",
  (verdict = 'LINK') = (outcome = 'CORRECT') AS belongs
FROM links WHERE rated_at IS NOT NULL AND ${OF_SCOPE} ORDER BY rated_at DESC, user_id, id LIMIT $2`,
};

/** The rated decisions of a scope, the latest first. */
export const rated = (db: Database, scope: string, most: number): Promise<RatedDecision[]> =>
  db.system(RATED, [scope, most]);

const SHARED: Statement = {
  name: 'linking-settings-shared',
  text: `SELECT count(*) > 1 AS shared FROM (SELECT user_id FROM users LIMIT 2) AS two`,
};

/** Whether there is more than one user, so that the deployment's setting applies to several. */
export async function isShared(db: Database): Promise<boolean> {
  return (await db.system<{ shared: boolean }>(SHARED, []))[0]?.shared ?? false;
}

const FRESH: Statement = {
  name: 'linking-settings-fresh',
  text: `
SELECT count(*)::int AS fresh FROM (
  SELECT id FROM links WHERE rated_at > coalesce((
    SELECT max(at) FROM tuning_runs WHERE user_id = $1 AND kind = 'TUNED'), '-infinity')
    AND ${OF_SCOPE} LIMIT $2) AS ratings`,
};

/** How many decisions of a scope were rated since its last tuning, counted up to `most`. */
export async function freshlyRated(db: Database, scope: string, most: number): Promise<number> {
  return (await db.system<{ fresh: number }>(FRESH, [scope, most]))[0]?.fresh ?? 0;
}

/** A tuning run or a rollback of a linking setting; `kept` says whether its setting was put in force. */
export type TuningRunRow = {
  userId: string;
  number: number;
  kind: 'TUNED' | 'ROLLED_BACK';
  kept: boolean;
  reason: string;
  decisions: number;
  previous: LinkingSetting;
  next: LinkingSetting;
  metrics: { before: LinkingMetrics; after: LinkingMetrics };
  thresholds: ThresholdRates[];
  disagreements: Disagreements;
  at: Date;
};

/** A run before it is numbered. */
export type TuningRunDraft = Omit<TuningRunRow, 'userId' | 'number' | 'at'>;

const LAST: Statement = {
  name: 'linking-settings-last',
  text: `SELECT coalesce(max(number), 0) AS last FROM tuning_runs WHERE user_id = $1`,
};

/** The number of a scope's last run; 0 = none. */
export async function lastRun(db: Database, scope: string): Promise<number> {
  return (await db.system<{ last: number }>(LAST, [scope]))[0]?.last ?? 0;
}

const SAVE: Statement = {
  name: 'linking-settings-save',
  text: `
WITH draft AS (
  SELECT * FROM json_to_recordset(json_build_array($2::json)) AS d(kind "TuningKind", kept boolean, reason text, decisions int, previous jsonb,
    next jsonb, metrics jsonb, thresholds jsonb, disagreements jsonb)
), run AS (
  INSERT INTO tuning_runs (user_id, number, kind, kept, reason, decisions, previous, next, metrics, thresholds,
    disagreements, at)
  SELECT $1, $4, kind, kept, reason, decisions, previous, next, metrics, thresholds, disagreements, $3 FROM draft
  ON CONFLICT DO NOTHING RETURNING kept
), put AS (
  INSERT INTO linking_settings (user_id, threshold, weights, hints, updated_at)
  SELECT $1, (next ->> 'threshold')::float8, next -> 'weights', ARRAY(SELECT jsonb_array_elements_text(next -> 'hints')), $3
  FROM draft WHERE EXISTS (SELECT FROM run WHERE kept)
  ON CONFLICT (user_id) DO UPDATE SET threshold = excluded.threshold, weights = excluded.weights, hints = excluded.hints,
    updated_at = excluded.updated_at
)
SELECT FROM run`,
};

/**
 * Stores a run under a number and, if it is kept, puts its setting in force.
 * @returns false, with nothing stored, if the number is already taken
 */
export async function save(
  db: Database,
  scope: string,
  number: number,
  run: TuningRunDraft,
  now: Date,
): Promise<boolean> {
  return (await db.system(SAVE, [scope, JSON.stringify(run), now, number])).length > 0;
}

const RUNS: Statement = {
  name: 'linking-settings-runs',
  text: `
SELECT user_id AS "userId", number, kind, kept, reason, decisions, previous, next, metrics, thresholds, disagreements, at
FROM tuning_runs WHERE user_id IN ($1, '') AND ($2::int IS NULL OR user_id = $1 AND number = $2)
ORDER BY at DESC, number DESC LIMIT $3`,
};

/** Runs of a scope and of the deployment, the latest first; with `number`, that run of the scope only. */
export const runs = (
  db: Database,
  scope: string,
  number: number | null,
  most: number,
): Promise<TuningRunRow[]> => db.system(RUNS, [scope, number, most]);
