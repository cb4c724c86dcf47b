import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import type { FactCategory, FactOrigin } from '../../domain/facts/fact.ts';
import type { Statement, Tx } from '../core/database.ts';
import { notMergedAfter } from '../core/not-merged-after.ts';

/** A fact with every field that the graph shows, except relations. */
export type KnownFact = {
  userId: string;
  id: number;
  category: FactCategory;
  key: string | null;
  value: string;
  statement: string;
  polarity: 'POSITIVE' | 'NEGATIVE';
  scope: string | null;
  confidence: number;
  importance: number;
  pinned: boolean;
  origin: FactOrigin;
  model: string | null;
  validFrom: Date;
  validTo: Date | null;
  recordedAt: Date;
  retractedAt: Date | null;
  supersededById: number | null;
  mentions: number;
  lastVerifiedAt: Date;
  lastAccessedAt: Date | null;
  updatedAt: Date;
};

const FACT = `user_id AS "userId", id, category, key, value, statement, polarity, scope, confidence, importance, pinned,
  origin, model, valid_from AS "validFrom", valid_to AS "validTo", recorded_at AS "recordedAt",
  retracted_at AS "retractedAt", superseded_by_id AS "supersededById", mentions, last_verified_at AS "lastVerifiedAt",
  last_accessed_at AS "lastAccessedAt", updated_at AS "updatedAt"`;

const KNOWN: Statement = {
  name: 'recalled-known-facts',
  text: `
SELECT ${FACT}, (count(*) OVER ())::int AS "all" FROM facts
WHERE user_id = $1 AND retracted_at IS NULL AND valid_from <= $2::timestamptz AND (valid_to IS NULL OR valid_to > $2)
  AND ($3::text[] IS NULL OR category::text = ANY ($3))
  AND (importance >= $5::float8 OR pinned OR key = ANY ($4) OR key = ANY ($7) OR category::text = ANY ($8))
ORDER BY key = ANY ($4) DESC NULLS LAST, pinned DESC, importance DESC, id LIMIT $6`,
};

/**
 * The known facts: those that are true at a time and are pinned, at least as important as `importance`, under one
 * of `keys`, or standing. Those under `keys` come first, then pinned ones, then by importance. `all` is their total number.
 */
export async function knownFacts(
  tx: Tx,
  by: {
    at: Date;
    categories: readonly FactCategory[] | null;
    keys: readonly string[];
    standing: { categories: readonly FactCategory[]; keys: readonly string[] };
    importance: number | null;
    most: number;
  },
): Promise<{ facts: KnownFact[]; all: number }> {
  const { at, categories, keys, importance, most, standing } = by;
  const values = [
    tx.userId,
    at,
    categories,
    keys,
    importance,
    most,
    standing.keys,
    standing.categories,
  ];
  const rows = await tx.query<KnownFact & { all: number }>(KNOWN, values);
  return { facts: rows.map(({ all: _all, ...fact }) => fact), all: rows[0]?.all ?? 0 };
}

const FACTS: Statement = {
  name: 'recalled-facts',
  text: `SELECT ${FACT} FROM facts WHERE user_id = $1 AND id = ANY ($2::int[])`,
};

/** Facts by their ids. */
export const facts = (tx: Tx, ids: readonly number[]): Promise<KnownFact[]> =>
  tx.query(FACTS, [tx.userId, ids]);

const CONVERSATIONS: Statement = {
  name: 'recalled-conversations',
  text: `
SELECT s.fact_id AS id, count(DISTINCT t.thread_id)::int AS conversations
FROM fact_sources s JOIN turns t ON t.user_id = s.user_id AND t.id = s.turn_id
WHERE s.user_id = $1 AND s.fact_id = ANY ($2::int[]) GROUP BY 1`,
};

/** The number of threads that state each fact. */
export async function conversationsOf(
  tx: Tx,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: number; conversations: number }>(CONVERSATIONS, [
    tx.userId,
    ids,
  ]);
  return new Map(rows.map(({ id, conversations }) => [id, conversations]));
}

const TOUCH: Statement = {
  name: 'recalled-touch-facts',
  text: `
UPDATE facts SET last_accessed_at = $3
WHERE user_id = $1 AND id = ANY ($2::int[]) AND (last_accessed_at IS NULL OR last_accessed_at < $3::timestamptz - interval '1 day')`,
};

/** Records the time at which facts were recalled, for each fact at most once a day. */
export const touchFacts = (tx: Tx, ids: readonly number[], now: Date): Promise<object[]> =>
  tx.query(TOUCH, [tx.userId, ids, now]);

/** An episode with the fields that recall shows. */
export type ShownEpisode = {
  id: number;
  threadId: number;
  title: string | null;
  summary: string;
  startedAt: Date;
  endedAt: Date;
  firstTurn: number;
  lastTurn: number;
  surprise: number | null;
};

const EPISODE = `id, thread_id AS "threadId", title, summary, started_at AS "startedAt",
  ended_at AS "endedAt", first_turn AS "firstTurn", last_turn AS "lastTurn", surprise`;

const EPISODES: Statement = {
  name: 'recalled-episodes',
  text: `SELECT ${EPISODE} FROM episodes WHERE user_id = $1 AND id = ANY ($2::int[]) AND summary IS NOT NULL`,
};

/** Episodes by their ids, without those that no longer have a summary. */
export const episodes = (tx: Tx, ids: readonly number[]): Promise<ShownEpisode[]> =>
  tx.query(EPISODES, [tx.userId, ids]);

const RECENT: Statement = {
  name: 'recalled-recent-episodes',
  text: `
SELECT ${EPISODE} FROM episodes e
WHERE user_id = $1 AND kind <> 'PRIMARY' AND (capture IS NULL OR capture = 'CREATED') AND summary IS NOT NULL
  AND ended_at >= $2 AND ended_at <= $3 AND coalesce(surprise, 0) >= $4
  AND ${notMergedAfter('e', '$3')}
ORDER BY ended_at DESC, id DESC LIMIT $5`,
};

/** The newest episodes that ended, with all that was merged into them, between `from` and `to` with at least this surprise. */
export const recentEpisodes = (
  tx: Tx,
  by: { from: Date; to: Date; surprise: number; most: number },
): Promise<ShownEpisode[]> => tx.query(RECENT, [tx.userId, by.from, by.to, by.surprise, by.most]);

/** A semantic memory or a skill with the fields that recall shows. */
export type ShownText = { id: number; number: number; name: string; text: string; at: Date };

const TEXTS: Statement = {
  name: 'recalled-texts',
  text: `
SELECT m.id, 0 AS number, '' AS name, m.summary AS text, m.ended_at AS at FROM semantic_memories m
WHERE $2 = 'SEMANTIC_MEMORY' AND m.user_id = $1 AND m.id = ANY ($3::int[]) AND m.summary IS NOT NULL
UNION ALL
SELECT k.episode_id, k.number, k.name, k.description, e.ended_at
FROM skills k JOIN episodes e ON e.user_id = k.user_id AND e.id = k.episode_id
WHERE $2 = 'SKILL' AND k.user_id = $1 AND k.episode_id = ANY ($3::int[])`,
};

/** Semantic memories by their ids, or the skills of episodes. */
export const texts = (
  tx: Tx,
  kind: Extract<MemoryKind, 'SEMANTIC_MEMORY' | 'SKILL'>,
  ids: readonly number[],
): Promise<ShownText[]> => tx.query(TEXTS, [tx.userId, kind, ids]);
