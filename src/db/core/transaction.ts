import type pg from 'pg';
import type { ChangeKind } from '../../domain/core/change.ts';
import type { TraceSpan, Tracing } from '../../observability/tracing.ts';
import { begin, beginGroup, type TransactionOptions } from './begin.ts';
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

/**
 * A transaction of several users at once, whose rows it locks. Its statements have names of their own: a plan that was made for
 * another role would be made anew.
 */
export type GroupTx = Pick<Tx, 'query' | 'queryAndCommit'> & {
  readonly userIds: readonly string[];
  /** The users whose row it has locked. */
  locked(): Promise<ReadonlySet<string>>;
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

/** How a transaction begins. */
type Opening = {
  name: string;
  /** The messages that begin it, sent in one round trip. */
  messages: string[];
  /**
   * How many statements are sent right behind the beginning, without waiting for it: only such as read. Nothing is written or
   * returned unless the transaction has begun.
   */
  ahead: number;
  readOnly?: boolean | undefined;
};

/** A transaction that was begun. */
type Session<Opened> = Pick<Tx, 'query' | 'queryAndCommit' | 'commitUnflushed' | 'onCommit'> & {
  /** The rows of the last statement that began it. */
  opened: Promise<Opened[]>;
};

/** Runs transactions, see `Database.asUser` and `Database.asUsers`. */
export type Transactions = {
  ofUser<T>(
    userId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions & { span: TraceSpan },
  ): Promise<T>;
  ofUsers<T>(
    userIds: readonly string[],
    work: (tx: GroupTx) => Promise<T>,
    span: TraceSpan,
  ): Promise<T>;
};

const notWriting: NoteChange = (kind) => {
  throw new Error(`"${kind}" outside of a unit of work that writes.`);
};

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

/** Creates functions that run transactions on a pool whose connections send statements without waiting for earlier ones. */
export function createTransactions(services: Services): Transactions {
  const { pool, send, heard, failureOf, observe, tracing, distributed } = services;

  /** Begins a transaction. @returns the rows of the last statement */
  const open = async <Opened extends object>(
    client: pg.PoolClient,
    { name, messages }: Opening,
  ): Promise<Opened[]> => {
    observe?.({ name, text: messages.join('; ') });
    const answers = Promise.all(messages.map((message) => client.query(message)));
    const results: unknown[] = heard(await answers.catch(throwUnavailable));
    const [last] = [results.at(-1)].flat().slice(-1) as pg.QueryResult<Opened>[];
    return last?.rows ?? [];
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

  const transact = async <Opened extends object, T>(
    opening: Opening,
    span: TraceSpan,
    work: (session: Session<Opened>) => Promise<T>,
  ): Promise<T> => {
    const client = await pool.connect().catch(throwUnavailable);
    const explain = opening.readOnly ? asUnavailableToRead : asUnavailable;
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
    let { ahead } = opening;
    try {
      span.mark('begin');
      let isOpen = false;
      const opened = open<Opened>(client, opening);
      opened.then(
        () => {
          isOpen = true;
        },
        () => undefined,
      );
      const result = await work({
        opened,
        query: async (statement, values) => {
          if (!isOpen && ahead <= 0) await opened;
          ahead -= 1;
          return next({ ...statement, values });
        },
        queryAndCommit: async (statement, values) => {
          if (!isOpen) await opened;
          const rows = next({ ...statement, values });
          await Promise.allSettled([rows, end()]);
          return rows as Promise<never>;
        },
        commitUnflushed: () => {
          // The nodes of a cluster would not hear of it.
          isFlushed = distributed;
        },
        onCommit: (callback) => void onCommit.push(callback),
      }).finally(() => opened);
      ended = committed ?? end();
      if (!opening.readOnly) await ended;
      for (const callback of onCommit) callback();
      return result;
    } catch (error) {
      isOver = true;
      ended = client.query('ROLLBACK');
      throw error;
    } finally {
      const released = releaseAfter(client, ended);
      // A transaction that only reads has nothing to commit: its result is returned at once.
      if (!opening.readOnly) await released;
    }
  };

  return {
    ofUser: (userId, work, { span, ...options }) => {
      const cause = tracing.traceparent();
      const opening: Opening = {
        name: nameOfBegin(options),
        messages: begin(userId, { ...options, cause, distributed }),
        ahead: sentAhead(options),
        readOnly: options.readOnly,
      };
      return transact(
        opening,
        span,
        async ({ opened, ...session }: Session<{ epoch?: number }>) => {
          const [row] = opening.ahead > 0 ? [] : await opened;
          const epoch = row?.epoch ?? null;
          return work({ userId, epoch, distributed, changed: notWriting, ...session });
        },
      );
    },
    ofUsers: (userIds, work, span) => {
      const opening: Opening = {
        name: 'begin-group',
        messages: [beginGroup(userIds)],
        ahead: 1,
      };
      return transact(opening, span, (session: Session<{ userId: string }>) =>
        work({
          locked: async () => new Set((await session.opened).map(({ userId }) => userId)),
          userIds,
          query: session.query,
          queryAndCommit: session.queryAndCommit,
        }),
      );
    },
  };
}
