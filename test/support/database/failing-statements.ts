import type { Database, Tx } from '../../../src/db/core/database.ts';

/**
 * Wraps a database so that statements can fail before they are sent.
 * @param failure returns the error of a statement by its name; null if it runs
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
    queryAndCommit: async (statement, values) => {
      check(statement.name);
      return tx.queryAndCommit(statement, values);
    },
  });
  const over = (wrapped: Database): Database => ({
    ...wrapped,
    asUser: (userId, work, options) => wrapped.asUser(userId, (tx) => work(watched(tx)), options),
    system: async (statement, values) => {
      check(statement.name);
      return wrapped.system(statement, values);
    },
    get background() {
      return wrapped === db.background ? this : over(db.background);
    },
  });
  return over(db);
}
