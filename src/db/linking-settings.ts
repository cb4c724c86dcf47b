import type { LinkingSetting } from '../domain/linking.ts';
import type { Database, Statement } from './database.ts';

/** Under no user's name: what holds for all who have no setting of their own. */
export const DEPLOYMENT = '';

export type StoredSetting = LinkingSetting & { userId: string };

const READ: Statement = {
  name: 'linking-settings-read',
  text: `
SELECT user_id AS "userId", threshold, weights, hints FROM linking_settings
WHERE user_id IN ($1, '${DEPLOYMENT}') ORDER BY user_id DESC LIMIT 1`,
};

/** The setting that holds for a user, of their own or the deployment's; null = nothing was tuned. */
export async function read(db: Database, userId: string): Promise<StoredSetting | null> {
  return (await db.system<StoredSetting>(READ, [userId]))[0] ?? null;
}
