import type pg from 'pg';
import type { ChangeKind } from '../../domain/core/change.ts';
import type { TraceSpan, Tracing } from '../../observability/tracing.ts';
import { begin, type TransactionOptions } from './begin.ts';
import { asUnavailable, asUnavailableToRead, throwUnavailable } from './unavailable.ts';

/** A named statement, which PostgreSQL prepares once per connection. */
export type Statement = { name: string; text: string };

/** A statement that was sent; null for the name of one that Prisma sends. */
export type SentStatement = { name: string | null; text: string };

/** Reports a change, with its subject and, for work that is due later, the time. */
type NoteChange = (kind: ChangeKind, subject?: number, at?: Date) => void;

/** A transaction of one user. It runs statements in the order in which they are sent. */
export type Tx = {
  /** The user whose rows it sees. */
  readonly userId: string;
  /** The user's erase epoch, which cannot change before the commit; null where the user's row is not locked. */
  readonly epoch: number | null;
  /** Whether the tables are distributed (see layout.ts). */
  readonly distributed: boolean;
  query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Runs the last statement and the commit in one round trip. No statement may follow. */
  queryAndCommit<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * Reports a change; the pipeline triggers steps from it with the commit. @throws outside a unit of work that writes
   */
  changed: NoteChange;
  /**
   * Lets the commit return before it is on disk, for work that runs again if a crash undoes it. Whatever commits later, and is
   * on disk, keeps it, too.
   */
  commitUnflushed(): void;
  /** Registers a callback that runs after the commit, so that logs and metrics do not report what was rolled back. */
  onCommit(callback: () => void): void;
};

type Services = {
  pool: pg.Pool;
  /** Sends a statement. @param explain turns an error into the one to throw */
  send<Row extends object>(
    client: pg.PoolClient,
    query: Statement & { values: unknown[] },
    explain: (error: unknown) => unknown,
  ): Promise<Row[]>;
  /** Notes that the database has answered. */
  heard<T>(answer: T): T;
  /** The error with which a connection was lost, if it was; else `error`. */
  failureOf(client: object, error: unknown): unknown;
  observe: ((statement: SentStatement) => void) | undefined;
  tracing: Tracing;
  distributed: boolean;
};

type Options = TransactionOptions & { span: TraceSpan };

/** Runs `work` in one transaction of a user, see `Database.asUser`. */
export type Transact = <T>(
  userId: string,
  work: (tx: Tx) => Promise<T>,
  options: Options,
) => Promise<T>;

const notWriting: NoteChange = (kind) => {
  throw new Error(`"${kind}" outside of a unit of work that writes.`);
};

/**
 * How many statements are sent right behind the beginning of a transaction, without waiting for it: only such as read.
 * Nothing is written or returned unless the transaction has begun.
 */
const sentAhead = ({ readOnly, readsFirst }: TransactionOptions): number => {
  if (readOnly) return Number.POSITIVE_INFINITY;
  return readsFirst ? 1 : 0;
};

const nameOfBegin = ({ readOnly, snapshot }: TransactionOptions): string =>
  readOnly || snapshot ? 'begin-read-only' : 'begin';

/** Gives a connection back once its transaction has ended; one on which it could not end is closed. */
export const releaseAfter = (client: pg.PoolClient, ended: Promise<unknown>): Promise<void> =>
  ended.then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );

/** Creates a function that runs transactions on a pool whose connections send statements without waiting for earlier ones. */
export function createTransactions(services: Services): Transact {
  const { pool, send, heard, failureOf, observe, tracing, distributed } = services;

  /** Begins a transaction by several messages, in one round trip. @returns the row of the last statement */
  const open = async (
    client: pg.PoolClient,
    name: string,
    messages: string[],
  ): Promise<{ epoch?: number }> => {
    observe?.({ name, text: messages.join('; ') });
    const answers = Promise.all(messages.map((message) => client.query(message)));
    const results: unknown[] = heard(await answers.catch(throwUnavailable));
    const [last] = [results.at(-1)].flat().slice(-1) as pg.QueryResult<{ epoch?: number }>[];
    return last?.rows[0] ?? {};
  };

  /** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK instead of an error; a SET before it gets the error. */
  const commit = async (client: pg.PoolClient, isFlushed: boolean): Promise<void> => {
    const text = isFlushed ? 'COMMIT' : 'SET LOCAL synchronous_commit TO off; COMMIT';
    observe?.({ name: 'commit', text });
    const results: unknown = await client
      .query(text)
      .catch((error) => throwUnavailable(failureOf(client, error)));
    const last = [results].flat().at(-1) as pg.QueryResult;
    if (last.command !== 'COMMIT') throw new Error('The transaction was rolled back.');
  };

  return async (userId, work, { span, ...options }) => {
    const client = await pool.connect().catch(throwUnavailable);
    const explain = options.readOnly ? asUnavailableToRead : asUnavailable;
    const onCommit: (() => void)[] = [];
    /** The commit, once it was sent. */
    let committed: Promise<void> | undefined;
    let isOver = false;
    let isFlushed = true;
    /** Sends a statement, unless the transaction is over: another one may use the connection by then. */
    const next = <Row extends object>(query: Statement & { values: unknown[] }): Promise<Row[]> => {
      if (isOver) throw new Error(`The transaction is over; "${query.name}" came too late.`);
      span.mark(query.name);
      return send<Row>(client, query, explain);
    };
    const end = () => {
      span.mark('commit');
      isOver = true;
      committed = commit(client, isFlushed);
      committed.catch(() => undefined);
      return committed;
    };
    let ended: Promise<unknown> = Promise.resolve();
    let ahead = sentAhead(options);
    try {
      span.mark('begin');
      const cause = tracing.traceparent();
      const messages = begin(userId, { ...options, cause, distributed });
      const opening = open(client, nameOfBegin(options), messages);
      opening.catch(() => undefined);
      const opened = ahead > 0 ? null : await opening;
      const result = await work({
        userId,
        epoch: opened?.epoch ?? null,
        distributed,
        changed: notWriting,
        query: async (statement, values) => {
          if (!opened && ahead <= 0) await opening;
          ahead -= 1;
          return next({ ...statement, values });
        },
        queryAndCommit: async (statement, values) => {
          if (!opened) await opening;
          const rows = next({ ...statement, values });
          await Promise.allSettled([rows, end()]);
          return rows as Promise<never>;
        },
        commitUnflushed: () => {
          // The nodes of a cluster would not hear of it.
          isFlushed = distributed;
        },
        onCommit: (callback) => void onCommit.push(callback),
      }).finally(() => opening);
      ended = committed ?? end();
      if (!options.readOnly) await ended;
      for (const callback of onCommit) callback();
      return result;
    } catch (error) {
      isOver = true;
      ended = client.query('ROLLBACK');
      throw error;
    } finally {
      const released = releaseAfter(client, ended);
      // A transaction that only reads has nothing to commit: its result is returned at once.
      if (!options.readOnly) await released;
    }
  };
}
