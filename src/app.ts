import type pg from 'pg';
import type { Config } from './config/config.ts';
import type { HttpContext, JobContext, MemoryContext, Needs, RememberContext } from './context.ts';
import { type DatabaseOptions, openDatabase } from './db/core/database.ts';
import { createGrouping } from './db/core/grouping.ts';
import { type Layout, readLayoutOf, WHOLE } from './db/core/layout.ts';
import { migrate, migrationNames } from './db/core/migrate.ts';
import { noteSchema } from './db/embedded/folder-schema.ts';
import { createKeyUses } from './db/operations/key-uses.ts';
import { createMeter } from './db/operations/model-meter.ts';
import { createTurnCache } from './db/search/turn-cache.ts';
import { store } from './db/store.ts';
import type { Embedder } from './embedder/core/embedder.ts';
import { createEmbedder } from './embedder/create-embedder.ts';
import { createPlaces } from './events/places.ts';
import { createLocalPublisher, createSharedPublisher } from './events/publisher.ts';
import { createWatchers } from './events/watchers.ts';
import { createIndexer } from './indexer/indexer.ts';
import { createLanguage } from './language-threads/language.ts';
import {
  createLanguageThreads,
  type LanguageThreads,
} from './language-threads/language-threads.ts';
import type { ModelNotice } from './local-models/model-thread.ts';
import { openDeployment, openMemory } from './memory.ts';
import { noteUnreadable } from './note-unreadable.ts';
import { createLoad } from './observability/load.ts';
import { createLogger, type Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { observeModel } from './observability/observe-model.ts';
import { openTracing } from './observability/open-tracing.ts';
import { type DatabaseServer, type OpenDatabase, openConfigured } from './open-database.ts';
import { openReasoner } from './open-model-reasoner.ts';
import { canJoin, rememberTogether } from './remember/turns/remember-together.ts';

/** Everything one process needs, opened from its configuration. */
export type App = JobContext &
  HttpContext &
  AsyncDisposable & {
    /** Starts what requests need and resolves when it is ready, so that the first requests need not wait for it. */
    warm(): Promise<void>;
    /** Loads what only some requests need, and starts the thread that reads facts. Called soon after the server answers. */
    warmRest(): Promise<void>;
    /** Shows other processes that want the data folder where the server of this one is. */
    recordAddress(url: string): void;
  };

export type Overrides = Partial<
  Pick<App, 'clock' | 'embedder' | 'reasoner' | 'builtInReasoner' | 'rules' | 'indexer' | 'logger'>
> & {
  /** True for a process that answers requests: language threads start at once. */
  isServer?: boolean;
  /** Language threads shared with other apps. They stay open when this app closes. */
  languageThreads?: LanguageThreads;
  /** The configured database, if it is being opened already. It closes with the app. */
  opening?: Promise<OpenDatabase>;
  /** A migrated database to use instead of the configured one. */
  connection?: DatabaseServer;
  observe?: DatabaseOptions['observe'];
};

/** Opens what the configuration names: the database (migrated), the embedder, the event bus. */
export async function createApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const { logger = createLogger(config.logLevel), clock = () => new Date() } = overrides;
  const owned: AsyncDisposable[] = [];
  /** Registers a resource to be closed with the app. */
  const closeLater = <T extends AsyncDisposable>(resource: T): T => {
    owned.push(resource);
    return resource;
  };
  const close = async () => {
    for (const resource of owned.reverse()) await resource[Symbol.asyncDispose]();
  };
  let embedder: Embedder | null = null;
  try {
    const threads = overrides.languageThreads ?? closeLater(createLanguageThreads(() => embedder));
    // They start while the database opens. `warm` reports a failure.
    if (overrides.isServer) threads.warm().catch(() => undefined);
    const opened =
      overrides.connection ??
      closeLater(await (overrides.opening ?? openConfigured(config.database, logger)));
    const { connection, embedded, disk = null, recordAddress = () => undefined } = opened;
    if (!overrides.connection) await migrateConfigured(connection, config, logger);
    const tracing = closeLater(await openTracing(config.otlpEndpoint, logger));
    const observe = overrides.observe ? { observe: overrides.observe } : {};
    const { kind } = embedded ? WHOLE : await readLayoutOf(connection);
    const distributed = kind === 'distributed';
    const opening = { connection, embedded, distributed, logger, tracing, ...observe };
    const db = closeLater(openDatabase(opening));
    const keyUses = closeLater(createKeyUses({ db, logger, clock }));
    const publisher = closeLater(
      embedded ? createLocalPublisher() : createSharedPublisher(db.pool, logger),
    );
    const turnCache = closeLater(createTurnCache(db.background, config.recall.cache, logger));
    publisher.onChange((userId) => turnCache.changed(userId));
    const newest = (userIds: readonly string[]) => store.events.newest(db, userIds);
    const watchers = createWatchers(publisher, newest, logger);
    owned.push({ [Symbol.asyncDispose]: async () => watchers[Symbol.dispose]() });
    const indexer = overrides.indexer ?? closeLater(createIndexer());
    const load = createLoad();
    const metrics = createMetrics();
    const modelCall = observeModel(metrics, tracing);
    const notice: ModelNotice = (level, what, event) => logger[level](what, event);
    const meter = createMeter({ db, metrics, logger, clock }, config.model.dailyTokens);
    embedder =
      overrides.embedder !== undefined
        ? overrides.embedder
        : await createEmbedder(config, {
            clock,
            meter,
            observe: modelCall,
            requests: load.shared,
            notice,
          });
    if (embedder && embedder !== overrides.embedder) closeLater(embedder);
    const memoryContext = { config, db, memory: openMemory, publisher, embedder, clock };
    const language = createLanguage(threads, (...unreadable) =>
      noteUnreadable({ ...memoryContext, logger }, ...unreadable),
    );
    const rememberGroups = groupsOf({ ...memoryContext, logger, tracing }, kind);
    const { rules = language.rules, builtInReasoner = language.reasoner } = overrides;
    const services = { config, meter, observe: modelCall, clock, notice, closeLater };
    const { reasoner, model } = await openReasoner(
      { given: overrides.reasoner, builtIn: builtInReasoner },
      services,
    );
    return {
      ...memoryContext,
      deployment: openDeployment,
      rememberGroups,
      turnCache,
      keyUses,
      watchers,
      places: createPlaces(config.limits.subscriptionsPerUser),
      models: [embedder?.loading ?? [], model ?? []].flat(),
      reasoner,
      builtInReasoner,
      rules,
      warm: async () => {
        // Prisma compiles its query engine on first use, which blocks the event loop.
        const reading = db.prisma(null).user.findUnique({ where: { id: '' } });
        await Promise.all([threads.warm(), reading]);
      },
      warmRest: async () => {
        // If one of them fails, its first use starts it again and reports the failure.
        await Promise.allSettled([threads.requests.readSamples(), threads.facts.warm()]);
      },
      recordAddress,
      indexer,
      load,
      stopping: new AbortController(),
      logger,
      metrics,
      tracing,
      migrations: await migrationNames(),
      disk,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Of partitions, a transaction of several users would lock all; of shards, each statement is for one user. */
const groupsOf = (
  ctx: MemoryContext & Needs<'logger' | 'tracing'>,
  layout: Layout['kind'],
): RememberContext['rememberGroups'] =>
  layout === 'whole'
    ? createGrouping({
        canJoin: (call) => canJoin(ctx, call),
        together: (take) => rememberTogether(ctx, take),
      })
    : { run: (_, alone) => alone() };

/** Applies pending migrations. Notes in the folder of an embedded database that this version has. */
async function migrateConfigured(
  connection: pg.PoolConfig,
  { database, version }: Config,
  logger: Logger,
): Promise<void> {
  for (const name of await migrate(connection)) {
    logger.info({ migration: name }, 'database.migrated');
  }
  const { url, folder } = database;
  if (url === null && folder !== null) await noteSchema(folder, version);
}
