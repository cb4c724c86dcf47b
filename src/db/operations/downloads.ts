import type { Statement, Tx } from '../core/database.ts';

const OFFER: Statement = {
  name: 'downloads-offer',
  text: `UPDATE users SET download_hash = $2, download_until = $3 WHERE user_id = $1 RETURNING user_id AS "userId"`,
};

/** Stores the hash of a ticket for one download of the memory, in place of the last one. @returns false for an unknown user */
export async function offer(tx: Tx, hash: Buffer, until: Date): Promise<boolean> {
  return (await tx.query(OFFER, [tx.userId, hash, until])).length > 0;
}

const REDEEM: Statement = {
  name: 'downloads-redeem',
  text: `
UPDATE users SET download_hash = NULL, download_until = NULL
WHERE user_id = $1 AND download_hash = $2 AND download_until > $3 RETURNING user_id AS "userId"`,
};

/** Takes a ticket by its hash. @returns whether it was valid */
export async function redeem(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  return (await tx.query(REDEEM, [tx.userId, hash, now])).length > 0;
}
