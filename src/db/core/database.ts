import pg from 'pg';
import type { ChangeKind } from '../../domain/core/change.ts';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { noTracing, type Span, type Tracing } from '../../observability/tracing.ts';
import { type Applicant, createAdmission } from './admission.ts';
import { begin, type TransactionOptions } from './begin.ts';
import { unlessDeadlocked } from './deadlock.ts';
import { openSocket } from './open-socket.ts';
import { createPulse } from './pulse.ts';
import { createPrisma, type ScopedPrisma, scopePrisma } from './scoped-prisma.ts';
import { asUnavailable, asUnavailableToRead } from './unavailable.ts';

type Through = <T>(work: () => Promise<T>) => Promise<T>;

/** A statement by name, so that PostgreSQL prepares it once a connection. */
export type Statement = { name: string; text: string };

/** Notes what changed: of what, and, where its work is planned for later, when. */
type NoteChange = (kind: ChangeKind, subject?: number, at?: Date) => void;

/** A transaction of one user's: runs one statement at a time and returns its rows. */
export type Tx = {
  /** Whose rows it sees. */
  readonly userId: string;
  /** The user's erase epoch, which nothing changes until the commit; null where the user's row is not locked. */
  readonly epoch: number | null;
  query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Says what changed: whom that wakes follows from the pipeline, with the commit. Only inside a unit of work that writes. */
  changed: NoteChange;
  /** Calls back once it is committed: for the log and the metrics, which tell of nothing that was rolled back. */
  onCommit(tell: () => void): void;
};

/** What is traced of work in the database: no statement's text, and none of its values. */
const TRANSACTION = { kind: 'CLIENT', attributes: { 'db.system.name': 'postgresql' } } as const;

export type Database = {
  /**
   * Runs `work` in a transaction that sees and writes the rows of one user only: row-level
   * security stands behind every statement. With `lock`, the user's row is created if missing
   * and locked first, so that what `work` reads stays true until it commits. `work` may run again.
   * With `holdsOffForget`, others may write meanwhile, and only a forget waits.
   * With `readOnly`, the server refuses every write. With `snapshot`, too, and it reads one state of the database,
   * whatever is written meanwhile.
   * With `generic`, statements are planned once for all values: for those that are written for that, planning anew would
   * take as long as running.
   * With `useReserve`, it writes to an embedded database while the disk is nearly full too.
   */
  asUser<T>(userId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether a further transaction of a user's could begin at once beside the ones under way. */
  hasRoom(userId: string): boolean;
  /** One statement for the deployment itself: jobs of all users, keys, clean-up. No row-level security. */
  system<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * Prisma for reading the graph. Every operation must name its user; with `only`, row-level
   * security hides everybody else's rows whatever the operation names. `through` begins each read, now, later or not at all.
   */
  prisma(only: string | null, through?: Through): ScopedPrisma;
  /** The same for work that no caller waits for: requests go before it. */
  background: Database;
  /** A statement on a connection that nothing else uses: it says whether the database is there, however busy it is. */
  look<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Milliseconds since the database last answered anything. */
  silence(): number;
  pool: pg.Pool;
  /** Whether this process owns the database alone. It works on one transaction at a time then. */
  readonly embedded: boolean;
  /** How many wait for a connection. */
  waiting(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** How long a statement waits for a connection to PostgreSQL, in milliseconds. */
const CONNECT_WITHIN = 15_000;

/** How long a request, and a background step, wait for a connection, in milliseconds. */
const PATIENCE = { request: 15_000, background: 60_000 };
/** How many wait for one, of a user and of all. */
const QUEUE = { user: 1_000, all: 10_000 };
/** How long a look at whether the database is there waits for a connection of its own, in milliseconds. */
const LOOK_WITHIN = 2_000;
const PING = { name: 'ping', text: 'SELECT 1', values: [] };

/** How to reach a PostgreSQL server, by so many connections at most. */
export const onServer = (connectionString: string, max: number): pg.PoolConfig => ({
  connectionString,
  max,
  connectionTimeoutMillis: CONNECT_WITHIN,
});

export type DatabaseOptions = {
  connection: pg.PoolConfig;
  embedded: boolean;
  logger: Logger;
  tracing?: Tracing;
  /** Sees every statement sent, for tests that count round trips. */
  observe?: (text: string) => void;
};

export function openDatabase({
  connection,
  embedded,
  logger,
  tracing = noTracing,
  observe,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    application_name: 'mnemograph',
    stream: openSocket,
    keepAlive: true,
    ...connection,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'database.connection_lost'));
  // One that is lost between two statements of a transaction: the next statement tells of it, and why.
  const lost = new WeakMap<object, Error>();
  pool.on('connect', (client) =>
    client.on('error', (error) => void lost.set(client, lost.get(client) ?? error)),
  );
  const prisma = createPrisma(pool, CONNECT_WITHIN, observe !== undefined);
  if (observe) prisma.$on('query' as never, ({ query }: { query: string }) => observe(query));

  const lookout = new pg.Pool({ ...pool.options, max: 1, connectionTimeoutMillis: LOOK_WITHIN });
  lookout.on('error', () => undefined);
  const admission = createAdmission({
    places: pool.options.max,
    patience: PATIENCE,
    queue: QUEUE,
  });
  const { heard, silence, isThere } = createPulse(LOOK_WITHIN);

  const send = async <Row extends object>(
    client: pg.Pool | pg.PoolClient,
    query: Statement & { values: unknown[] },
    explain = asUnavailable,
  ): Promise<Row[]> => {
    observe?.(query.text);
    const { rows } = await client.query<Row>(query).catch((error) => {
      throw explain(lost.get(client) ?? error);
    });
    return heard(rows);
  };

  /** Begins a transaction by several statements. @returns the row of the last one */
  const open = async (client: pg.PoolClient, statements: string): Promise<{ epoch?: number }> => {
    observe?.(statements);
    const results: unknown = heard(await client.query(statements).catch(fail));
    return (results as pg.QueryResult<{ epoch?: number }>[]).at(-1)?.rows[0] ?? {};
  };

  /** Works when it is the applicant's turn. */
  const admitted = async <T>(applicant: Applicant, work: () => Promise<T>): Promise<T> => {
    const leave = await admission.enter(applicant).catch(async (error) => {
      // Of the embedded one in this process, silence only says how slow the machine is.
      const isAway = !embedded && !(await isThere(PATIENCE.request, () => send(lookout, PING)));
      throw isAway ? new DatabaseUnavailable(error) : error;
    });
    return work().finally(leave);
  };

  /** The COMMIT of a transaction in which a statement failed is a ROLLBACK, and no error. */
  const commit = async (client: pg.PoolClient): Promise<void> => {
    observe?.('COMMIT');
    const { command } = await client
      .query('COMMIT')
      .catch((error) => fail(lost.get(client) ?? error));
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
  };

  const transact = async <T>(
    userId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions,
    span: Span,
  ): Promise<T> => {
    const client = await pool.connect().catch(fail);
    const told: (() => void)[] = [];
    let broken: Error | undefined;
    let over = false;
    try {
      span.mark('begin');
      const opened = await open(
        client,
        begin(userId, { ...options, cause: tracing.traceparent() }),
      );
      const result = await work({
        userId,
        epoch: opened.epoch ?? null,
        changed: notWriting,
        query: async (statement, values) => {
          // By then the connection may be somebody else's.
          if (over) throw new Error(`The transaction is over; "${statement.name}" came too late.`);
          span.mark(statement.name);
          const explain = options.readOnly ? asUnavailableToRead : asUnavailable;
          return send(client, { ...statement, values }, explain);
        },
        onCommit: (tell) => void told.push(tell),
      });
      span.mark('commit');
      over = true;
      await commit(client);
      for (const tell of told) tell();
      return result;
    } catch (error) {
      over = true;
      await client.query('ROLLBACK').catch((rollback: Error) => {
        broken = rollback;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };

  const openFor = (isBackground: boolean): Omit<Database, 'background'> => ({
    pool,
    embedded,
    silence,
    waiting: () => pool.waitingCount + admission.waiting(),
    hasRoom: (userId) => !embedded && admission.hasRoom({ userId, isBackground }),
    look: (statement, values) => send(lookout, { ...statement, values }),
    prisma: (only, through = (work) => work()) =>
      scopePrisma(prisma, only, (name, userId, read) =>
        through(() =>
          tracing.part({ ...TRANSACTION, name }, () =>
            admitted({ userId, isBackground }, () => read().then(heard, fail)),
          ),
        ),
      ),
    system: (statement, values) =>
      tracing.part({ ...TRANSACTION, name: `statement ${statement.name}` }, () =>
        admitted(SERVER, () => send(pool, { ...statement, values })),
      ),
    asUser: (userId, work, options = {}) =>
      tracing.part({ ...TRANSACTION, name: 'transaction' }, (span) =>
        admitted({ userId, isBackground }, () =>
          unlessDeadlocked(() => transact(userId, work, options, span)),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), lookout.end()]);
    },
  });
  const background: Database = {
    ...openFor(true),
    get background() {
      return background;
    },
  };
  return { ...openFor(false), background };
}

const notWriting: NoteChange = (kind) => {
  throw new Error(`"${kind}" outside of a unit of work that writes.`);
};

/** The server itself, for its own tables and for all users. */
const SERVER: Applicant = { userId: null, isBackground: false };

function fail(error: unknown): never {
  throw asUnavailable(error);
}
