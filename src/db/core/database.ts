import pg from 'pg';
import { DatabaseUnavailable } from '../../domain/core/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { noTracing, type Tracing } from '../../observability/tracing.ts';
import { type Applicant, createAdmission, type Urgency } from './admission.ts';
import type { TransactionOptions } from './begin.ts';
import { unlessDeadlocked } from './deadlock.ts';
import { CONNECT_WITHIN } from './on-server.ts';
import { openSocket } from './open-socket.ts';
import { createPulse } from './pulse.ts';
import { createPrisma, type ScopedPrisma, scopePrisma } from './scoped-prisma.ts';
import {
  createTransactions,
  type GroupTx,
  type SentStatement,
  type Statement,
  type Tx,
} from './transaction.ts';
import { asUnavailable, throwUnavailable } from './unavailable.ts';

export type { GroupTx, SentStatement, Statement, Tx } from './transaction.ts';

type Through = <T>(work: () => Promise<T>) => Promise<T>;

/** The attributes of a database span. The texts and values of statements are not traced. */
const TRANSACTION = { kind: 'CLIENT', attributes: { 'db.system.name': 'postgresql' } } as const;

export type Database = {
  /**
   * Runs `work` in a transaction that can read and write one user's rows only, enforced by row-level security.
   * After a deadlock `work` runs again.
   * - `lock`: creates the user's row if it is missing and locks it, so that what `work` reads stays true until the commit.
   * - `holdsOffForget`: others may write meanwhile; only a forget waits.
   * - `readOnly`: the database refuses every write.
   * - `readsFirst`: the first statement of `work` only reads, so it is sent together with the beginning of the transaction.
   * - `snapshot`: read-only, and all statements see the same state of the database.
   * - `generic`: uses one plan for all values, for statements that are written for it and would take as long to plan as
   *   to run.
   * - `useReserve`: writes to an embedded database even while the disk is nearly full.
   * - `isBulk`: stores many rows; requests that do not go first.
   */
  asUser<T>(userId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` in one transaction that can read and write the rows of several users, enforced by row-level security, in the tables
   * that the hot path uses. It locks the users' rows without waiting for them, so it may leave some out. Its first
   * statement only reads. Not on a distributed database.
   * @param userIds returns the users, once the transaction may begin
   */
  asUsers<T>(userIds: () => readonly string[], work: (tx: GroupTx) => Promise<T>): Promise<T>;
  /** Whether another transaction of this user could begin without waiting. */
  hasRoom(userId: string): boolean;
  /** Runs one statement for the whole deployment (jobs of all users, keys, clean-up), without row-level security. */
  system<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * Prisma for reading the graph. Every operation must name its user; with `only`, row-level security hides the rows of
   * all other users, whatever the operation names. `through` runs each read: it may delay or refuse it.
   */
  prisma(only: string | null, through?: Through): ScopedPrisma;
  /** The same database for background work, which yields to requests. */
  background: Database;
  /** Runs a statement on a connection of its own, to check whether the database is reachable however busy it is. */
  look<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Milliseconds since the database last answered a statement. */
  silence(): number;
  pool: pg.Pool;
  /** Whether the database is embedded in this process. It then runs one transaction at a time. */
  readonly embedded: boolean;
  /** Whether the tables are distributed over the nodes of a Citus cluster. Each statement of a user then goes to one shard. */
  readonly distributed: boolean;
  /** The number of callers that wait for a connection. */
  waiting(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** How long a transaction waits for a connection, in milliseconds. */
const PATIENCE = { request: 15_000, bulk: 60_000, background: 60_000 };
/**
 * The transactions at a time of an embedded database. It has one session, so a second one only waits to begin without delay; with
 * more, requests would queue behind background work that was admitted before them.
 */
const EMBEDDED_PLACES = 2;
/** How many may wait for one: of a user, and of all together. */
const QUEUE = { user: 1_000, all: 10_000 };
/** How long a connection is kept that nobody uses, in milliseconds: a new one has to prepare its statements again. */
const KEEP_IDLE = 60_000;
/** How long `look` waits for its connection, in milliseconds. */
const LOOK_WITHIN = 2_000;
const PING = { name: 'ping', text: 'SELECT 1', values: [] };

export type DatabaseOptions = {
  connection: pg.PoolConfig;
  embedded: boolean;
  distributed?: boolean;
  logger: Logger;
  tracing?: Tracing;
  /** Sees every statement sent, for tests that count round trips. */
  observe?: (statement: SentStatement) => void;
};

export function openDatabase({
  connection,
  embedded,
  distributed = false,
  logger,
  tracing = noTracing,
  observe,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    application_name: 'mnemograph',
    stream: openSocket,
    keepAlive: true,
    idleTimeoutMillis: KEEP_IDLE,
    pipeline: true,
    ...connection,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'database.connection_lost'));
  // A connection that is lost between two statements of a transaction: the next statement fails, and says why.
  const lost = new WeakMap<object, Error>();
  pool.on('connect', (client) =>
    client.on('error', (error) => void lost.set(client, lost.get(client) ?? error)),
  );
  const prisma = createPrisma(pool, CONNECT_WITHIN, observe);
  if (observe) {
    prisma.$on('query' as never, ({ query: text }: { query: string }) =>
      observe({ name: null, text }),
    );
  }

  const lookout = new pg.Pool({ ...pool.options, max: 1, connectionTimeoutMillis: LOOK_WITHIN });
  lookout.on('error', () => undefined);
  const admission = createAdmission({
    places: Math.min(pool.options.max, embedded ? EMBEDDED_PLACES : pool.options.max),
    patience: PATIENCE,
    queue: QUEUE,
  });
  const { heard, silence, isThere } = createPulse(LOOK_WITHIN);
  const failureOf = (client: object, error: unknown) => lost.get(client) ?? error;

  const send = async <Row extends object>(
    client: pg.Pool | pg.PoolClient,
    query: Statement & { values: unknown[] },
    explain = asUnavailable,
  ): Promise<Row[]> => {
    observe?.({ name: query.name, text: query.text });
    const { rows } = await client.query<Row>(query).catch((error) => {
      throw explain(failureOf(client, error));
    });
    return heard(rows);
  };

  /** Runs `work` when the applicant gets a place. */
  const admitted = async <T>(applicant: Applicant, work: () => Promise<T>): Promise<T> => {
    const leave = await admission.enter(applicant).catch(async (error) => {
      // The silence of an embedded database, in this process, only says how slow the machine is.
      const isAway = !embedded && !(await isThere(PATIENCE.request, () => send(lookout, PING)));
      throw isAway ? new DatabaseUnavailable(error) : error;
    });
    try {
      return await work();
    } finally {
      leave();
    }
  };

  const transactions = createTransactions({
    pool,
    send,
    heard,
    failureOf,
    observe,
    tracing,
    distributed,
  });

  const openFor = (urgency: Urgency): Omit<Database, 'background'> => ({
    pool,
    embedded,
    distributed,
    silence,
    waiting: () => pool.waitingCount + admission.waiting(),
    hasRoom: (userId) => !embedded && admission.hasRoom({ userId, urgency }),
    look: (statement, values) => send(lookout, { ...statement, values }),
    prisma: (only, through = (work) => work()) =>
      scopePrisma(prisma, { only, distributed }, (name, userId, read) =>
        through(() =>
          tracing.part({ ...TRANSACTION, name }, () =>
            admitted({ userId, urgency }, () => read().then(heard, throwUnavailable)),
          ),
        ),
      ),
    system: (statement, values) =>
      tracing.part({ ...TRANSACTION, name: `statement ${statement.name}` }, () =>
        admitted(SERVER, () => send(pool, { ...statement, values })),
      ),
    asUser: (userId, work, { isBulk, ...options } = {}) =>
      tracing.part({ ...TRANSACTION, name: 'transaction' }, (span) =>
        admitted({ userId, urgency: isBulk ? 'bulk' : urgency }, () =>
          unlessDeadlocked(() => transactions.ofUser(userId, work, { ...options, span })),
        ),
      ),
    asUsers: (userIds, work) =>
      tracing.part({ ...TRANSACTION, name: 'transaction' }, (span) =>
        admitted({ userId: GROUP, urgency }, () => transactions.ofUsers(userIds(), work, span)),
      ),
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), lookout.end()]);
    },
  });
  const background: Database = {
    ...openFor('background'),
    get background() {
      return background;
    },
  };
  return { ...openFor('request'), background };
}

/** Stands for the users of a transaction of several: it does not wait in the line of any of them. No user has this name. */
const GROUP = '';

/** The server itself, which works on its own tables and on rows of all users. */
const SERVER: Applicant = { userId: null, urgency: 'request' };
