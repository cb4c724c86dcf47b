import { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { DEPLOYMENT } from '../../domain/core/deployment.ts';
import { PrismaClient } from '../generated/client.ts';
import { readAs, readingPool } from './reading-pool.ts';
import type { SentStatement } from './transaction.ts';

/** How long one read of the graph may take, in milliseconds. */
const READ_WITHIN = 30_000;

/** Creates a client that reads the graph and omits the contents of turns. @param connectWithin in milliseconds */
export const createPrisma = (
  pool: pg.Pool,
  connectWithin: number,
  observe?: (statement: SentStatement) => void,
) =>
  new PrismaClient({
    adapter: new PrismaPg(readingPool(pool, observe), { statementNameGenerator: statementNames() }),
    queryPlanCacheMaxSize: MOST_PLANNED,
    // They may be long; see turn-contents.ts for how they are loaded.
    omit: { turn: { text: true, toolCalls: true } },
    log: observe ? [{ emit: 'event' as const, level: 'query' as const }] : [],
    // A transaction is admitted only when a place is free, so only connecting can take long here.
    transactionOptions: { maxWait: connectWithin + 1_000, timeout: READ_WITHIN },
  });
type ReadingClient = ReturnType<typeof createPrisma>;

/** The most reads of which Prisma keeps how they are made of statements. A program sends a few dozen. */
const MOST_PLANNED = 200;

/** The most statements of the graph that a connection prepares, and of how many it is known whether they were sent before. */
const MOST_PREPARED = 200;
const MOST_SEEN = 1_000;

/**
 * Returns a function that names statements which are sent repeatedly, so that a connection plans each once. PostgreSQL keeps
 * what is prepared, so there are only so many names, and none for a statement that is sent once.
 */
export function statementNames(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new LRUCache<string, true>({ max: MOST_SEEN });
  return ({ sql }) => {
    const isNew = !names.has(sql) && names.size < MOST_PREPARED;
    if (isNew && seen.has(sql)) names.set(sql, `graph-${names.size + 1}`);
    else if (isNew) seen.set(sql, true);
    return names.get(sql) ?? '';
  };
}

/** Runs a read when the user gets a place, as a traced span. */
type Run = <T>(name: string, userId: string, read: () => Promise<T>) => Promise<T>;

export type ScopedPrisma = ReturnType<typeof scopePrisma>;

/** The user that an operation names in its `where`; null if it names none. */
function userOf(where: unknown): string | null {
  if (typeof where !== 'object' || where === null) return null;
  const conditions = where as Record<string, unknown>;
  if (typeof conditions.userId === 'string') return conditions.userId;
  for (const [key, value] of Object.entries(conditions)) {
    if (key.startsWith('userId_')) return userOf(value);
  }
  return null;
}

type ReadScope = { only: string | null; distributed: boolean };

/**
 * Prisma for reading. Every operation must name its user; with `only`, row-level security hides the rows of all other
 * users, whatever the operation names. What belongs to the deployment can be read by everybody.
 */
export function scopePrisma(client: ReadingClient, { only, distributed }: ReadScope, run: Run) {
  return client.$extends({
    query: {
      $allModels: {
        async $allOperations({ model, operation, args }) {
          const where = (args as { where?: Record<string, unknown> }).where;
          const userId =
            model === 'User' && typeof where?.id === 'string' ? where.id : userOf(where);
          if (userId === null) throw new Error(`${model}.${operation} names no user`);
          const scope = {
            userId: userId === DEPLOYMENT ? DEPLOYMENT : (only ?? userId),
            distributed,
          };
          // A count has no relations to load.
          const how = operation.startsWith('find') ? strategyFor(args, distributed) : {};
          return run(`read ${model}.${operation}`, userId, () =>
            readAs(scope, () =>
              client.$transaction((tx) => operationOf(tx, model, operation)({ ...args, ...how })),
            ),
          );
        },
      },
    },
  });
}

/**
 * How Prisma loads relations: by a statement for each, or all by one statement with joins. Of lists of other rows it would read
 * by the first way all entries, to cut the pages itself. Joins are not tried on distributed tables.
 */
const strategyFor = (args: object, distributed: boolean): { relationLoadStrategy: string } => ({
  relationLoadStrategy: !distributed && hasInnerPage(args) ? 'join' : 'query',
});

/** Whether a read selects pages of relations. */
const hasInnerPage = ({ select, include }: { select?: unknown; include?: unknown }): boolean =>
  Object.values({ ...Object(select), ...Object(include) }).some(
    (relation) =>
      typeof relation === 'object' &&
      relation !== null &&
      ('take' in relation || hasInnerPage(relation)),
  );

/** The operation of a model: of `User`, those are in the property `user` of the client. */
function operationOf(tx: object, model: string, operation: string) {
  const models = tx as Record<string, Record<string, (args: unknown) => Promise<unknown>>>;
  const found = models[model.charAt(0).toLowerCase() + model.slice(1)]?.[operation];
  if (!found) throw new Error(`${model} has no operation ${operation}`);
  return found;
}
