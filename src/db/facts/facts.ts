import type { FactCategory, FactOrigin, POLARITIES } from '../../domain/facts/fact.ts';
import type { DatedFact } from '../../domain/facts/fact-timeline.ts';
import { FORGOTTEN } from '../../domain/facts/forgotten-fact.ts';
import type { Statement, Tx } from '../core/database.ts';

type FactRow = Omit<DatedFact, 'id'> & { id: number };

const asDated = ({ id, ...row }: FactRow): DatedFact => ({ ...row, id: String(id) });

const COLUMNS = `id, category, key, value, statement, polarity, confidence, valid_from AS "validFrom", valid_to AS "validTo",
  (SELECT min(turn_id) FROM fact_sources WHERE user_id = $1 AND fact_id = facts.id) AS "turnId"`;

/** Candidates are compared with at most this many active facts, the newest, and with older ones that may be about the same. */
const MOST = 2_000;

const STORED: Statement = {
  name: 'facts-stored',
  text: `
WITH newest AS MATERIALIZED (
  SELECT ${COLUMNS} FROM facts WHERE user_id = $1 AND valid_to IS NULL AND retracted_at IS NULL
  ORDER BY id DESC LIMIT ${MOST}
)
SELECT * FROM newest
UNION ALL
SELECT ${COLUMNS} FROM facts WHERE user_id = $1 AND retracted_at IS NULL
  AND (valid_to IS NOT NULL OR id < (SELECT min(id) FROM newest))
  AND (id = ANY($4::int[]) OR key = ANY($2) OR (key IS NULL AND lower(value) = ANY($3)) OR (valid_to IS NULL AND key ~ '^person:') OR key ~ '^constraint:diet:')
ORDER BY id`,
};

/**
 * The newest active facts; and older or closed ones with one of these ids, under one of these keys or, without a key, with one of these
 * values. Of the older ones also all about people and diets, since their keys depend on each other: closed diets, too.
 */
export async function stored(
  tx: Tx,
  {
    keys = [],
    values = [],
    ids = [],
  }: { keys?: readonly string[]; values?: readonly string[]; ids?: readonly number[] },
): Promise<DatedFact[]> {
  return (await tx.query<FactRow>(STORED, [tx.userId, keys, values, ids])).map(asDated);
}

const HEARD: Statement = {
  name: 'facts-heard',
  text: `
SELECT s.turn_id AS "turnId", f.id::text AS "factId", f.category, f.key, f.value, f.polarity, f.origin,
  NULL::timestamptz AS "forgottenAt"
FROM fact_sources s CROSS JOIN LATERAL (SELECT * FROM facts WHERE user_id = $1 AND id = s.fact_id OFFSET 0) AS f
WHERE s.user_id = $1 AND s.turn_id = ANY($2::int[])
UNION ALL
SELECT turn_id, NULL, category, key, value, polarity, NULL, CASE WHEN reason = '${FORGOTTEN}' THEN recorded_at END
FROM fact_refusals WHERE user_id = $1 AND turn_id = ANY($2::int[])
UNION ALL
SELECT turn_id, NULL, category, key, value, polarity, NULL, recorded_at
FROM fact_refusals WHERE user_id = $1 AND reason = '${FORGOTTEN}' AND value = ANY($3) AND turn_id <> ALL($2::int[])`,
};

/** A statement that was extracted from a turn before. */
export type Heard = Pick<DatedFact, 'category' | 'key' | 'value' | 'polarity'> & {
  turnId: number;
  /** When it was forgotten as a fact: then its key and its value are a mark of it. */
  forgottenAt: Date | null;
  /** Null if it was refused. */
  factId: string | null;
  origin: FactOrigin | null;
};

/** The statements that were extracted from these turns before, and the forgotten facts with these marks. */
export const heard = (
  tx: Tx,
  turnIds: readonly number[],
  marks: readonly string[],
): Promise<Heard[]> => tx.query(HEARD, [tx.userId, turnIds, marks]);

const NEXT_ID: Statement = {
  name: 'facts-next-id',
  text: `SELECT last_fact AS last, erase_epoch AS epoch FROM users WHERE user_id = $1`,
};

/** The user's highest fact id so far, and the erase epoch. The user's row must be locked. */
export async function counters(tx: Tx): Promise<{ last: number; epoch: number }> {
  const [row] = await tx.query<{ last: number; epoch: number }>(NEXT_ID, [tx.userId]);
  return row ?? { last: 0, epoch: 0 };
}

/** A fact to be inserted. */
export type NewFact = {
  id: number;
  category: FactCategory;
  key: string | null;
  value: string;
  statement: string;
  polarity: (typeof POLARITIES)[number];
  scope: string | null;
  confidence: number;
  importance: number;
  pinned: boolean;
  origin: FactOrigin;
  model: string | null;
  validFrom: Date;
  validTo: Date | null;
  mentions: number;
  lastVerifiedAt: Date;
  supersededById: number | null;
};

/** A change to a stored fact; null leaves a value unchanged. */
export type FactUpdate = {
  id: number;
  key: string | null;
  /** How its valid time changed, if it did. */
  change: 'CLOSED' | 'EXTENDED' | null;
  validFrom: Date;
  validTo: Date | null;
  supersededById: number | null;
  confidence: number;
  /** How often it was mentioned again, and when last. */
  mentions: number;
  lastVerifiedAt: Date | null;
  /** The words of a person who recorded it, too. */
  byHand: Pick<NewFact, 'value' | 'statement' | 'scope'> | null;
};

type UpdatedRow = { isReworded: boolean };

const UPDATE: Statement = {
  name: 'facts-update',
  text: `
WITH changes AS (
  SELECT * FROM json_to_recordset($2::json) AS c(id int, key text, change "FactChangeKind", "validFrom" timestamptz,
    "validTo" timestamptz, "supersededById" int, confidence float8, mentions int, "lastVerifiedAt" timestamptz, "byHand" json)
), by_hand AS MATERIALIZED (
  SELECT c.id, h.* FROM changes c, json_to_record(c."byHand") AS h(value text, statement text, scope text)
  WHERE json_typeof(c."byHand") = 'object'
), old_vectors AS (
  DELETE FROM fact_vectors v USING by_hand h, facts f
  WHERE v.user_id = $1 AND v.fact_id = h.id AND f.user_id = $1 AND f.id = h.id AND f.statement <> h.statement
  RETURNING v.fact_id
), ended AS (
  UPDATE fact_versions v SET superseded_at = $3 FROM changes c
  WHERE v.user_id = $1 AND v.fact_id = c.id AND v.superseded_at IS NULL AND c.change IS NOT NULL
), versions AS (
  INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
  SELECT $1, c.id, (SELECT count(*) + 1 FROM fact_versions v WHERE v.user_id = $1 AND v.fact_id = c.id), c.change,
    c."validFrom", c."validTo", $3
  FROM changes c WHERE c.change IS NOT NULL
  RETURNING number
)
UPDATE facts f SET key = coalesce(c.key, f.key), valid_from = c."validFrom", valid_to = c."validTo",
  active_key = CASE WHEN c."validTo" IS NULL THEN coalesce(c.key, f.key) END,
  superseded_by_id = coalesce(c."supersededById", f.superseded_by_id), confidence = c.confidence,
  mentions = f.mentions + c.mentions, updated_at = $3,
  last_verified_at = greatest(f.last_verified_at, coalesce(c."lastVerifiedAt", f.last_verified_at)),
  value = coalesce(h.value, f.value), statement = coalesce(h.statement, f.statement),
  scope = CASE WHEN h.id IS NULL THEN f.scope ELSE h.scope END,
  origin = CASE WHEN h.id IS NULL THEN f.origin ELSE 'HAND' END, model = CASE WHEN h.id IS NULL THEN f.model END
FROM changes c LEFT JOIN by_hand h ON h.id = c.id WHERE f.user_id = $1 AND f.id = c.id
RETURNING EXISTS (SELECT FROM old_vectors v WHERE v.fact_id = f.id) AS "isReworded"`,
};

const INSERT: Statement = {
  name: 'facts-insert',
  text: `
WITH drafts AS (
  SELECT * FROM json_to_recordset($2::json) AS d(id int, category "FactCategory", key text, value text, statement text,
    polarity "FactPolarity", scope text, confidence float8, importance float8, pinned boolean, origin "FactOrigin",
    model text, "validFrom" timestamptz, "validTo" timestamptz, mentions int, "lastVerifiedAt" timestamptz)
), counted AS (
  UPDATE users SET last_fact = greatest(last_fact, (SELECT max(id) FROM drafts)) WHERE user_id = $1
), stored AS (
  INSERT INTO facts (user_id, id, category, key, active_key, value, statement, polarity, scope, confidence, importance,
    pinned, origin, model, valid_from, valid_to, recorded_at, mentions, last_verified_at, updated_at)
  SELECT $1, id, category, key, CASE WHEN "validTo" IS NULL THEN key END, value, statement, polarity, scope, confidence,
    importance, pinned, origin, model, "validFrom", "validTo", $3, mentions, "lastVerifiedAt", $3
  FROM drafts
  RETURNING id
)
INSERT INTO fact_versions (user_id, fact_id, number, change, valid_from, valid_to, recorded_at)
SELECT $1, id, 1, 'RECORDED', "validFrom", "validTo", $3 FROM drafts
RETURNING number`,
};

const SUPERSEDE: Statement = {
  name: 'facts-supersede',
  text: `
UPDATE facts f SET superseded_by_id = s."byId" FROM json_to_recordset($2::json) AS s(id int, "byId" int)
WHERE f.user_id = $1 AND f.id = s.id`,
};

const SOURCES: Statement = {
  name: 'facts-sources',
  text: `
INSERT INTO fact_sources (user_id, fact_id, turn_id, key, value, statement, scope, confidence, importance, origin, model)
SELECT $1, s."factId", s."turnId", s.key, s.value, s.statement, s.scope, s.confidence, s.importance, s.origin, s.model
FROM json_to_recordset($2::json) AS s("factId" int, "turnId" int, key text, value text, statement text, scope text,
  confidence float8, importance float8, origin "FactOrigin", model text)
ON CONFLICT DO NOTHING`,
};

/** A fact source: a turn that states a fact, and its own words for it. */
export type FactSourceRow = { factId: number; turnId: number } & Pick<
  NewFact,
  'key' | 'value' | 'statement' | 'scope' | 'confidence' | 'importance' | 'origin' | 'model'
>;

/** Changes to facts that are stored together. */
export type FactChanges = {
  updates: readonly FactUpdate[];
  inserts: readonly NewFact[];
  sources: readonly FactSourceRow[];
};

/**
 * Stores the results of candidate facts. Facts that end are updated first, so that two are never active under one key. The
 * user's row must be locked.
 * @returns whether a fact was put in other words, and lost its vector
 */
export async function save(
  tx: Tx,
  { updates, inserts, sources }: FactChanges,
  now: Date,
): Promise<boolean> {
  // References to facts that are not inserted yet are set afterwards.
  const unlinked = updates.map((update) => ({ ...update, supersededById: null }));
  const updated =
    updates.length > 0
      ? await tx.query<UpdatedRow>(UPDATE, [tx.userId, JSON.stringify(unlinked), now])
      : [];
  if (inserts.length > 0) await tx.query(INSERT, [tx.userId, JSON.stringify(inserts), now]);
  const superseded = [...updates, ...inserts].flatMap(({ id, supersededById: byId }) =>
    byId === null ? [] : [{ id, byId }],
  );
  if (superseded.length > 0) await tx.query(SUPERSEDE, [tx.userId, JSON.stringify(superseded)]);
  if (sources.length > 0) await tx.query(SOURCES, [tx.userId, JSON.stringify(sources)]);
  return updated.some(({ isReworded }) => isReworded);
}

/** A candidate fact that was refused. */
export type RefusalRow = {
  turnId: number;
  category: FactCategory;
  key: string | null;
  value: string;
  statement: string;
  polarity: (typeof POLARITIES)[number];
  confidence: number;
  importance: number;
  reason: string;
  byFactId: number | null;
  at: Date;
};

const REFUSE: Statement = {
  name: 'facts-refuse',
  text: `
INSERT INTO fact_refusals (user_id, turn_id, number, category, key, value, statement, polarity, confidence, importance,
  reason, by_fact_id, at, recorded_at)
SELECT $1, r."turnId", (SELECT coalesce(max(o.number), 0) FROM fact_refusals o WHERE o.user_id = $1 AND o.turn_id = r."turnId")
    + row_number() OVER (PARTITION BY r."turnId"), r.category, r.key, r.value, r.statement, r.polarity, r.confidence,
  r.importance, r.reason, r."byFactId", r.at, $3
FROM json_to_recordset($2::json) AS r("turnId" int, category "FactCategory", key text, value text, statement text,
  polarity "FactPolarity", confidence float8, importance float8, reason text, "byFactId" int, at timestamptz)
WHERE NOT EXISTS (SELECT FROM fact_refusals o WHERE o.user_id = $1 AND o.turn_id = r."turnId" AND o.value = r.value
  AND o.polarity = r.polarity AND o.key IS NOT DISTINCT FROM r.key)
RETURNING number`,
};

/** Stores refused candidates, each at most once per turn. */
export const refuse = (tx: Tx, refusals: readonly RefusalRow[], now: Date): Promise<object[]> =>
  tx.query(REFUSE, [tx.userId, JSON.stringify(refusals), now]);
