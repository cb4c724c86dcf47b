import type { Access } from '../../domain/core/viewer.ts';
import type { Database, Statement } from '../core/database.ts';

export type ApiKeyRow = {
  id: string;
  name: string;
  /** The only user whose memory it opens; null = it acts for all. */
  userId: string | null;
  access: Access;
  createdAt: Date;
  revokedAt: Date | null;
  /** Until when the secret before the last rotation works; null when it was never rotated. */
  previousUntil: Date | null;
  /** When it was last used, to the minute; null = never. */
  lastUsedAt: Date | null;
};

/** A key found by its current secret or, in the grace period, by its former one. */
export type FoundKey = ApiKeyRow & {
  /** Milliseconds for which that secret goes on working; null = no end. */
  remaining: number | null;
};

const COLUMNS = `id, name, acts_for AS "userId", access, created_at AS "createdAt", revoked_at AS "revokedAt", previous_until AS "previousUntil",
  last_used_at AS "lastUsedAt"`;

const INSERT: Statement = {
  name: 'api-keys-insert',
  text: `INSERT INTO api_keys (id, name, hash, acts_for, access) VALUES (gen_random_uuid(), $1, $2, $3, $4::"ApiKeyAccess")
    RETURNING ${COLUMNS}`,
};

/** A key that is to be stored. */
export type NewKey = Pick<ApiKeyRow, 'name' | 'userId' | 'access'> & { hash: Buffer };

export async function insert(db: Database, key: NewKey): Promise<ApiKeyRow> {
  const values = [key.name, key.hash, key.userId, key.access];
  return (await db.system<ApiKeyRow>(INSERT, values))[0] as ApiKeyRow;
}

const FIND: Statement = {
  name: 'api-keys-find',
  text: `
SELECT ${COLUMNS},
  CASE WHEN hash <> $1 THEN (1000 * extract(epoch FROM previous_until - now()))::float8 END AS remaining
FROM api_keys
WHERE revoked_at IS NULL AND (hash = $1 OR (previous_hash = $1 AND previous_until > now()))`,
};

/** The key with this hash, unless it was revoked or rotated away. */
export async function findValid(db: Database, hash: Buffer): Promise<FoundKey | null> {
  return (await db.system<FoundKey>(FIND, [hash]))[0] ?? null;
}

const ROTATE: Statement = {
  name: 'api-keys-rotate',
  text: `
UPDATE api_keys SET hash = $2, previous_hash = hash, previous_until = now() + make_interval(mins => $3)
WHERE id = $1 AND revoked_at IS NULL RETURNING ${COLUMNS}`,
};

/** Replaces a key's secret; the former one is accepted for `graceMinutes`. Null if there is no valid key. */
export async function rotate(
  db: Database,
  id: string,
  hash: Buffer,
  graceMinutes: number,
): Promise<ApiKeyRow | null> {
  return (await db.system<ApiKeyRow>(ROTATE, [id, hash, graceMinutes]))[0] ?? null;
}

const REVOKE: Statement = {
  name: 'api-keys-revoke',
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
};

export async function revoke(db: Database, id: string): Promise<ApiKeyRow | null> {
  return (await db.system<ApiKeyRow>(REVOKE, [id]))[0] ?? null;
}

const NOTE_USES: Statement = {
  name: 'api-keys-note-uses',
  text: `
UPDATE api_keys k SET last_used_at = u.at FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at <= u.at - interval '1 minute')`,
};

/** Records when keys were used, for each key at most once a minute, whatever the number of processes. */
export async function noteUses(db: Database, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.system(NOTE_USES, [[...uses.keys()], [...uses.values()]]);
}

const LIST: Statement = {
  name: 'api-keys-list',
  text: `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at`,
};

export const list = (db: Database): Promise<ApiKeyRow[]> => db.system<ApiKeyRow>(LIST, []);

const EXISTS: Statement = {
  name: 'api-keys-exists',
  text: `SELECT 1 FROM api_keys LIMIT 1`,
};

/** Whether a key was ever made, revoked ones included: then the deployment asks for credentials. */
export async function exists(db: Database): Promise<boolean> {
  return (await db.system(EXISTS, [])).length > 0;
}
