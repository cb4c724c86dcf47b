import type { Database, Statement } from '../core/database.ts';

/** A user, with the columns that the graph shows. */
export type UserRow = {
  id: string;
  timeZone: string | null;
  inactivityTimeoutMinutes: number | null;
  turnCount: number;
};

/** Which users to list: those whose name has `search` in it, whatever its case, between two names. Null = no restriction. */
export type UserPage = {
  search: string | null;
  after: string | null;
  before: string | null;
  most: number;
  /** From the end of the list. */
  isInverted: boolean;
};

const list = (name: string, order: 'ASC' | 'DESC'): Statement => ({
  name,
  text: `
SELECT user_id AS id, time_zone AS "timeZone", inactivity_timeout_minutes AS "inactivityTimeoutMinutes",
  turn_count AS "turnCount"
FROM users
WHERE ($1::text IS NULL OR strpos(lower(user_id), lower($1)) > 0)
  AND ($2::text IS NULL OR user_id > $2) AND ($3::text IS NULL OR user_id < $3)
ORDER BY user_id ${order} LIMIT $4`,
});

const FORWARDS = list('users-list', 'ASC');
const BACKWARDS = list('users-list-backwards', 'DESC');

/** A page of the users of this deployment, by their names. */
export function page(
  db: Database,
  { search, after, before, most, isInverted }: UserPage,
): Promise<UserRow[]> {
  const statement = isInverted ? BACKWARDS : FORWARDS;
  return db.system<UserRow>(statement, [search, after, before, most]);
}
