import type { Database, Statement } from './database.ts';

export type ApiKeyRow = { id: string; name: string; createdAt: Date; revokedAt: Date | null };

const COLUMNS = `id, name, created_at AS "createdAt", revoked_at AS "revokedAt"`;

const INSERT: Statement = {
  name: 'api-keys-insert',
  text: `INSERT INTO api_keys (id, name, hash) VALUES (gen_random_uuid(), $1, $2) RETURNING ${COLUMNS}`,
};

export async function insert(db: Database, name: string, hash: Buffer): Promise<ApiKeyRow> {
  return (await db.system<ApiKeyRow>(INSERT, [name, hash]))[0] as ApiKeyRow;
}

const FIND: Statement = {
  name: 'api-keys-find',
  text: `SELECT ${COLUMNS} FROM api_keys WHERE hash = $1 AND revoked_at IS NULL`,
};

/** The key with this hash, unless it was revoked. */
export async function findValid(db: Database, hash: Buffer): Promise<ApiKeyRow | null> {
  return (await db.system<ApiKeyRow>(FIND, [hash]))[0] ?? null;
}

const REVOKE: Statement = {
  name: 'api-keys-revoke',
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
};

export async function revoke(db: Database, id: string): Promise<ApiKeyRow | null> {
  return (await db.system<ApiKeyRow>(REVOKE, [id]))[0] ?? null;
}

const LIST: Statement = {
  name: 'api-keys-list',
  text: `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at`,
};

export const list = (db: Database): Promise<ApiKeyRow[]> => db.system<ApiKeyRow>(LIST, []);

const ANY: Statement = {
  name: 'api-keys-any',
  text: `SELECT 1 FROM api_keys LIMIT 1`,
};

/** Whether a key was ever made, revoked ones included: then the deployment asks for credentials. */
export async function any(db: Database): Promise<boolean> {
  return (await db.system(ANY, [])).length > 0;
}
