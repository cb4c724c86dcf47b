import { Socket } from 'node:net';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import { noTracing, type Span, type Tracing } from '../observability/tracing.ts';
import { PrismaClient } from './generated/client.ts';
import { asUnavailable } from './unavailable.ts';

type Through = <T>(work: () => Promise<T>) => Promise<T>;

/** A statement by name, so that PostgreSQL prepares it once a connection. */
export type Statement = { name: string; text: string };

/** A transaction: runs one statement at a time and returns its rows. */
export type Tx = {
  query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /** Calls back once it is committed: for the log and the metrics, which tell of nothing that was rolled back. */
  onCommit(tell: () => void): void;
};

/** The role that row-level security applies to (see the migrations). */
const APP_ROLE = 'mnemograph_app';

/** What is traced of work in the database: no statement's text, and none of its values. */
const TRANSACTION = { kind: 'CLIENT', attributes: { 'db.system.name': 'postgresql' } } as const;

/** How often a transaction that was the victim of a deadlock is run. */
const MAX_ATTEMPTS = 3;

type TransactionOptions = {
  lock?: boolean;
  snapshot?: boolean;
  generic?: boolean;
  useReserve?: boolean;
};

export type Database = {
  /**
   * Runs `work` in a transaction that sees and writes the rows of one user only: row-level
   * security stands behind every statement. With `lock`, the user's row is created if missing
   * and locked first, so that what `work` reads stays true until it commits. `work` may run again.
   * With `snapshot`, it reads one state of the database, whatever is written meanwhile, and writes nothing.
   * With `generic`, statements are planned once for all values: for those that are written for that, planning anew would
   * take as long as running.
   * With `useReserve`, it writes to an embedded database while the disk is nearly full too.
   */
  asUser<T>(userId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether a further transaction could begin at once beside the ones under way. */
  hasRoom(): boolean;
  /** One statement for the deployment itself: jobs of all users, keys, clean-up. No row-level security. */
  system<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]>;
  /**
   * Prisma for reading the graph. Every operation must name its user; with `only`, row-level
   * security hides everybody else's rows whatever the operation names. `through` begins each read, now, later or not at all.
   */
  prisma(only: string | null, through?: Through): ScopedPrisma;
  pool: pg.Pool;
  [Symbol.asyncDispose](): Promise<void>;
};

/** How long a statement waits for a connection to PostgreSQL, in milliseconds. */
const CONNECT_WITHIN = 15_000;

/** How to reach a PostgreSQL server, by so many connections at most. */
export const onServer = (connectionString: string, max: number): pg.PoolConfig => ({
  connectionString,
  max,
  connectionTimeoutMillis: CONNECT_WITHIN,
});

export type DatabaseOptions = {
  connection: pg.PoolConfig;
  logger: Logger;
  tracing?: Tracing;
  /** Sees every statement sent, for tests that count round trips. */
  observe?: (text: string) => void;
};

export function openDatabase({
  connection,
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
  // One that is lost between two statements of a transaction: the next statement tells of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prisma = createPrisma(pool, observe !== undefined);
  if (observe) prisma.$on('query' as never, ({ query }: { query: string }) => observe(query));

  const send = async <Row extends object>(
    client: pg.Pool | pg.PoolClient,
    query: string | (Statement & { values: unknown[] }),
  ): Promise<Row[]> => {
    observe?.(typeof query === 'string' ? query : query.text);
    return (await client.query<Row>(query).catch(fail)).rows;
  };

  /** The COMMIT of a transaction in which a statement failed is a ROLLBACK, and no error. */
  const commit = async (client: pg.PoolClient): Promise<void> => {
    observe?.('COMMIT');
    const { command } = await client.query('COMMIT').catch(fail);
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
      await send(client, begin(userId, { ...options, cause: tracing.traceparent() }));
      const result = await work({
        query: async (statement, values) => {
          // By then the connection may be somebody else's.
          if (over) throw new Error(`The transaction is over; "${statement.name}" came too late.`);
          span.mark(statement.name);
          return send(client, { ...statement, values });
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

  return {
    pool,
    hasRoom: () =>
      pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max),
    prisma: (only, through = (work) => work()) => scopePrisma(prisma, { only, through, tracing }),
    system: (statement, values) =>
      tracing.part({ ...TRANSACTION, name: `statement ${statement.name}` }, () =>
        send(pool, { ...statement, values }),
      ),
    asUser: (userId, work, options = {}) =>
      tracing.part({ ...TRANSACTION, name: 'transaction' }, async (span) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await transact(userId, work, options, span);
          } catch (error) {
            if (attempt === MAX_ATTEMPTS || !isDeadlock(error)) throw error;
          }
        }
      }),
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function fail(error: unknown): never {
  throw asUnavailable(error);
}

/** PostgreSQL ends one of two transactions that wait for each other; run again, it succeeds. */
const isDeadlock = (error: unknown): boolean => (error as { code?: unknown }).code === '40P01';

/**
 * A socket that sends what was gathered as one piece. `pg` sends a prepared statement as five, and
 * writing five at once costs Node three times as much: a third of all that `remember` costs.
 */
function openSocket(): Socket {
  const socket = new Socket();
  socket._writev = (pieces, done) => {
    socket._write(
      Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)),
      'buffer' as BufferEncoding,
      done,
    );
  };
  return socket;
}

type Opening = TransactionOptions & {
  /** The traceparent that wake-ups made in it carry on (see jobs.traceparent). */
  cause: string | null;
};

/** Everything that opens a transaction, in one round trip. */
function begin(userId: string, { lock, snapshot, generic, useReserve, cause }: Opening): string {
  const user = pg.escapeLiteral(userId);
  const plans = generic ? `, set_config('plan_cache_mode', 'force_generic_plan', true)` : '';
  const trace = cause ? `, set_config('mnemograph.traceparent', '${cause}', true)` : '';
  const written = useReserve ? ' READ WRITE' : '';
  const mode = snapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : written;
  const scope = `BEGIN${mode}; SELECT set_config('jit', 'off', true), set_config('role', '${APP_ROLE}', true), set_config('mnemograph.user_id', ${user}, true)${plans}${trace}`;
  if (!lock) return scope;
  return `${scope}; INSERT INTO users (user_id) VALUES (${user}) ON CONFLICT DO NOTHING; SELECT 1 FROM users WHERE user_id = ${user} FOR NO KEY UPDATE`;
}

type ReadingClient = ReturnType<typeof createPrisma>;

const createPrisma = (pool: pg.Pool, isObserved: boolean) =>
  new PrismaClient({
    adapter: new PrismaPg(pool),
    // They may be long: who wants them asks for them, see turn-contents.ts.
    omit: { turn: { text: true, toolCalls: true } },
    log: isObserved ? [{ emit: 'event' as const, level: 'query' as const }] : [],
  });

export type ScopedPrisma = ReturnType<typeof scopePrisma>;

/** The user that an operation names in its `where`. */
function userOf(where: unknown): string | null {
  if (typeof where !== 'object' || where === null) return null;
  const named = where as Record<string, unknown>;
  if (typeof named.userId === 'string') return named.userId;
  for (const [key, value] of Object.entries(named)) {
    if (key.startsWith('userId_')) return userOf(value);
  }
  return null;
}

type Scope = { only: string | null; through: Through; tracing: Tracing };

function scopePrisma(client: ReadingClient, { only, through, tracing }: Scope) {
  return client.$extends({
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          const where = (args as { where?: Record<string, unknown> }).where;
          const userId =
            model === 'User' && typeof where?.id === 'string' ? where.id : userOf(where);
          if (userId === null) throw new Error(`${model}.${operation} names no user`);
          const name = `read ${model}.${operation}`;
          const read = () =>
            tracing.part({ ...TRANSACTION, name }, () =>
              client.$transaction([
                client.$executeRaw`SELECT set_config('role', ${APP_ROLE}, true), set_config('mnemograph.user_id', ${only ?? userId}, true)`,
                query(args) as never,
              ]),
            );
          const [, result] = await through(() => read().catch(fail));
          return result;
        },
      },
    },
  });
}
