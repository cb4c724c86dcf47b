import type { Database, Tx } from '../../src/db/core/database.ts';

/**
 * The same database, on which statements fail before they are sent.
 * @param failure what happens to a statement of this name; null where it runs
 */
export function failingStatements(db: Database, failure: (name: string) => Error | null): Database {
  const check = (name: string) => {
    const error = failure(name);
    if (error) throw error;
  };
  const watched = (tx: Tx): Tx => ({
    ...tx,
    query: async (statement, values) => {
      check(statement.name);
      return tx.query(statement, values);
    },
  });
  const over = (own: Database): Database => ({
    ...own,
    asUser: (userId, work, options) => own.asUser(userId, (tx) => work(watched(tx)), options),
    system: async (statement, values) => {
      check(statement.name);
      return own.system(statement, values);
    },
    get background() {
      return own === db.background ? this : over(db.background);
    },
  });
  return over(db);
}
