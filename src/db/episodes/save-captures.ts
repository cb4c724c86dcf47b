import type { GeneratedBy } from '../../domain/core/reasoning.ts';
import type { CaptureStatus } from '../../domain/episodes/capture.ts';
import type { PartOfDay } from '../../shared/calendar.ts';
import type { Statement, Tx } from '../core/database.ts';
import { vectorsParameter } from '../core/vectors.ts';

/** The result of capturing a segment. */
export type CaptureDraft = {
  id: number;
  /** The number of turns it was made from. */
  turns: number;
  title: string | null;
  summary: string | null;
  /** Its own summary, without the segments merged into it. */
  micro: string | null;
  topic: string | null;
  approach: string | null;
  surprise: number;
  generatedBy: GeneratedBy;
  model: string;
  date: string;
  week: number;
  year: number;
  partOfDay: PartOfDay;
  themeTerms: string[];
  /** The vectors of its title and summary, and of its turns; null without an embedder. */
  vectors: { embedder: string; described: Float32Array; said: Float32Array } | null;
  /** Null keeps the earlier decision; the former summary stays readable. */
  verdict: {
    status: CaptureStatus;
    reason: string;
    signals: object;
    mergedIntoId: number | null;
    /** The initial FSRS state, if it becomes an episode. */
    stability: number | null;
    difficulty: number | null;
  } | null;
};

const KEEP_REVISION: Statement = {
  name: 'captures-keep-revision',
  text: `
INSERT INTO episode_revisions (user_id, episode_id, number, summary)
SELECT user_id, id, (SELECT count(*) + 1 FROM episode_revisions r WHERE r.user_id = $1 AND r.episode_id = $2), summary
FROM episodes WHERE user_id = $1 AND id = $2 AND summary IS NOT NULL
RETURNING 1`,
};

const keepRevision = (tx: Tx, episodeId: number): Promise<object[]> =>
  tx.query(KEEP_REVISION, [tx.userId, episodeId]);

const SAVE_VECTOR: Statement = {
  name: 'captures-vector',
  text: `
INSERT INTO episode_vectors (user_id, episode_id, embedder, embedding, said)
VALUES ($1, $2, $3, $4::real[]::halfvec, $5::real[]::halfvec)
ON CONFLICT (user_id, episode_id, embedder) DO UPDATE SET embedding = excluded.embedding, said = excluded.said`,
};

const SAVE: Statement = {
  name: 'captures-save',
  text: `
WITH draft AS (
  SELECT * FROM json_to_recordset(json_build_array($3::json)) AS d(title text, summary text, micro text, topic text, approach text,
    surprise float8, "generatedBy" "GeneratedBy", model text, date text, week int, year int, "partOfDay" "PartOfDay", "themeTerms" text[])
), verdict AS (
  SELECT * FROM json_to_recordset(json_build_array($4::json)) AS v(status "CaptureStatus", reason text, signals jsonb, "mergedIntoId" int,
    stability float8, difficulty float8)
)
UPDATE episodes e SET title = d.title, summary = d.summary, micro = d.micro, topic = d.topic, approach = d.approach,
  surprise = d.surprise, generated_by = d."generatedBy", model = d.model, date = d.date, week = d.week, year = d.year,
  part_of_day = d."partOfDay", theme_terms = d."themeTerms",
  capture = coalesce(v.status, CASE WHEN e.merged_into_id IS NULL THEN 'CREATED'::"CaptureStatus" ELSE 'MERGED' END),
  capture_reason = coalesce(v.reason, e.capture_reason), capture_signals = coalesce(v.signals, e.capture_signals),
  merged_into_id = coalesce(v."mergedIntoId", e.merged_into_id), stability = coalesce(v.stability, e.stability),
  difficulty = coalesce(v.difficulty, e.difficulty), consolidated_at = NULL, description = NULL
FROM draft d LEFT JOIN verdict v ON true
WHERE e.user_id = $1 AND e.id = $2 AND e.capture = 'PENDING' AND e.last_turn - e.first_turn + 1 = $5
RETURNING e.id`,
};

/** Stores the decision about a pending segment; false if it was decided, or got another turn, meanwhile. */
export async function save(
  tx: Tx,
  { id, turns, verdict, vectors, ...texts }: CaptureDraft,
): Promise<boolean> {
  if (!verdict) await keepRevision(tx, id);
  const values = [tx.userId, id, JSON.stringify(texts), JSON.stringify(verdict ?? {}), turns];
  if ((await tx.query(SAVE, values)).length === 0) return false;
  if (vectors) {
    const { embedder, described, said } = vectors;
    const both = [vectorsParameter([described]), vectorsParameter([said])];
    await tx.query(SAVE_VECTOR, [tx.userId, id, embedder, ...both]);
  }
  return true;
}

const REVISE: Statement = {
  name: 'captures-revise',
  text: `
WITH embedded AS (
  UPDATE episode_vectors SET embedding = $5::real[]::halfvec
  WHERE user_id = $1 AND episode_id = $2 AND embedder = $4 AND $5::real[] IS NOT NULL
)
UPDATE episodes SET summary = $3, consolidated_at = NULL WHERE user_id = $1 AND id = $2`,
};

/** Gives an episode a new summary and vector; the former summary stays readable. */
export async function revise(
  tx: Tx,
  embedder: string,
  { id, summary, vector }: { id: number; summary: string; vector: Float32Array | null },
): Promise<void> {
  await keepRevision(tx, id);
  await tx.query(REVISE, [tx.userId, id, summary, embedder, vector && vectorsParameter([vector])]);
}
