import type { Config } from './config/config.ts';
import type { Database } from './db/core/database.ts';
import type { Grouping } from './db/core/grouping.ts';
import type { DiskSpace } from './db/embedded/disk-space.ts';
import type { KeyUses } from './db/operations/key-uses.ts';
import type { TurnCache } from './db/search/turn-cache.ts';
import type { LoadingModel } from './domain/core/loading-model.ts';
import type { Embedder } from './embedder/core/embedder.ts';
import type { Places } from './events/places.ts';
import type { Publisher } from './events/publisher.ts';
import type { Watchers } from './events/watchers.ts';
import type { Indexer } from './indexer/indexer.ts';
import type { Rules } from './language-threads/rules.ts';
import type { OpenDeployment, OpenMemory } from './memory.ts';
import type { Load } from './observability/load.ts';
import type { Logger } from './observability/logger.ts';
import type { Metrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Reasoner } from './reasoner/reasoner.ts';
import type { RememberedTurn } from './remember/turns/outcome.ts';
import type { RememberCall } from './remember/turns/remember-together.ts';

/** What any step may use. A function declares what it needs of it; what only one room needs besides is declared below. */
export type Context = {
  config: Config;
  db: Database;
  /** Opens one user's memory for units of work that read or write. */
  memory: OpenMemory;
  /** The statements for the whole deployment: jobs of all users, keys, settings. */
  deployment: OpenDeployment;
  publisher: Publisher;
  /** Null when vectors are switched off: recall then works by keywords. */
  embedder: Embedder | null;
  /** Does the language work of background steps. */
  reasoner: Reasoner;
  /** Rules that read users' texts outside the reasoner. They run in threads of their own. */
  rules: Rules;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** The server's clock. Rules use event time; this is only the default for `now`. */
  clock: () => Date;
};

/** The fields of the context that a function uses. */
export type Needs<Field extends keyof Context> = Pick<Context, Field>;

/** What a unit of work needs: `memory`, and what it is opened with. */
export type MemoryContext = Needs<'memory' | 'config' | 'db' | 'publisher' | 'embedder' | 'clock'>;

/** The context of what embeds texts: vectors are switched on. */
export type EmbeddingContext = MemoryContext & { embedder: Embedder };

/** What the hot path needs in addition: it lets calls that come at the same time share transactions. */
export type RememberContext = Context & {
  rememberGroups: Grouping<RememberCall, RememberedTurn[]>;
};

/** What recall needs in addition: the in-memory indexes of turns. */
export type RecallContext = Context & { turnCache: TurnCache };

/** What subscriptions need in addition: the watchers of event logs, and the limit of subscriptions per user. */
export type WatchContext = Context & { watchers: Watchers; places: Places };

/** What authentication needs in addition: when API keys were used. */
export type AuthContext = Context & { keyUses: KeyUses };

/** What the graph needs: the context of each step that a resolver calls. */
export type GraphContext = RememberContext & RecallContext & WatchContext & AuthContext;

/** What the keyword index needs in addition: the indexer, which splits texts into terms. */
export type IndexContext = Context & { indexer: Indexer };

/** What the worker and its steps need. */
export type JobContext = IndexContext & {
  /** The built-in reasoner, for work that a model cannot do. */
  builtInReasoner: Reasoner;
  /** The free disk space of the embedded database; null where it is not measured. */
  disk: DiskSpace | null;
  load: Load;
};

/** What the transport needs in addition to the graph. */
export type HttpContext = GraphContext & {
  disk: DiskSpace | null;
  /** The models that this process loads. */
  models: readonly LoadingModel[];
  /** The migrations of this version. */
  migrations: readonly string[];
  /** Counts the requests in progress; background work yields to them. */
  load: Load;
  /** Aborted when the server begins to stop; from then on it accepts no new work. */
  stopping: AbortController;
};
