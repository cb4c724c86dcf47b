import type { Database, Statement } from './database.ts';

const READ: Statement = {
  name: 'server-clock-read',
  text: `SELECT seen_at AS "seenAt" FROM server_clock`,
};

/** The time that a server last recorded from its own clock; null if none did. */
export async function read(db: Database): Promise<Date | null> {
  const [row] = await db.system<{ seenAt: Date }>(READ, []);
  return row?.seenAt ?? null;
}

const NOTE: Statement = {
  name: 'server-clock-note',
  text: `INSERT INTO server_clock (seen_at) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
};

/** Records the time of a server's clock. */
export const note = (db: Database, now: Date): Promise<object[]> => db.system(NOTE, [now]);
