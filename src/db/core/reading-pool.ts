import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { begin } from './begin.ts';
import { releaseAfter, type SentStatement } from './transaction.ts';

/** Whose rows a read may see. */
type Scope = { userId: string; distributed: boolean };

const scopes = new AsyncLocalStorage<Scope>();

let reads = 0;

/** Runs a read; the transaction that it begins sees the rows of one user only. */
export async function readAs<T>(scope: Scope, read: () => Promise<T>): Promise<T> {
  reads += 1;
  try {
    return await scopes.run(scope, read);
  } finally {
    reads -= 1;
    // While the storage is enabled, Node.js tracks every promise of the process, which slows down all other work.
    if (reads === 0) scopes.disable();
  }
}

/** What Prisma sends at the end of a transaction. */
const ENDS = ['COMMIT', 'ROLLBACK'];
/** The answer to a statement that is not waited for. */
const NOTHING = { rowCount: 0, fields: [], rows: [] };

/**
 * Returns the pool as Prisma's adapter uses it: for transactions within `readAs`, and for nothing else. They begin as all
 * transactions of a user that only read. The beginning is sent together with the first statement, and the end is not waited for,
 * so that a read takes one round trip instead of four.
 */
export const readingPool = (pool: pg.Pool, observe?: (statement: SentStatement) => void): pg.Pool =>
  Object.assign(Object.create(pool), {
    query: () => {
      throw new Error('Prisma sent a statement outside of a transaction.');
    },
    connect: async () => {
      const scope = scopes.getStore();
      if (!scope) throw new Error('Prisma began a transaction outside of `readAs`.');
      const client = await pool.connect();
      return Object.assign(Object.create(client), readingClient(client, scope, observe));
    },
  });

/** Returns the methods of a connection for one transaction. */
function readingClient(
  client: pg.PoolClient,
  { userId, distributed }: Scope,
  observe?: (statement: SentStatement) => void,
): { query(statement: pg.QueryArrayConfig): Promise<unknown>; release(): void } {
  let begun: Promise<unknown> = Promise.resolve();
  let ended: Promise<unknown> = Promise.resolve();
  /** Another transaction may use the connection by then, and nobody's settings hold between two. */
  let isOver = false;
  return {
    async query(statement) {
      if (isOver) throw new Error('The transaction is over; a statement of Prisma came too late.');
      if (statement.text === 'BEGIN') {
        const messages = begin(userId, { readOnly: true, cause: null, distributed });
        observe?.({ name: 'begin-read-only', text: messages.join('; ') });
        begun = Promise.all(messages.map((message) => client.query(message)));
        begun.catch(() => undefined);
        return NOTHING;
      }
      if (ENDS.includes(statement.text)) {
        isOver = true;
        ended = client.query(statement.text);
        ended.catch(() => undefined);
        return NOTHING;
      }
      // Nothing is returned unless the transaction has begun, and so sees this user's rows only.
      const answer = client.query(statement);
      answer.catch(() => undefined);
      await begun;
      return answer;
    },
    release() {
      isOver = true;
      void releaseAfter(client, ended);
    },
  };
}
