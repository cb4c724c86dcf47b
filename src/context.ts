import type { Config } from './config/config.ts';
import type { Database } from './db/core/database.ts';
import type { DiskRoom } from './db/embedded/disk-room.ts';
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

/** What any step may use. What a single room needs besides stands below, under the room's own name. */
export type Context = {
  config: Config;
  db: Database;
  /** The way to one user's memory: units of work that read or write. */
  memory: OpenMemory;
  /** The statements for the deployment itself: jobs of all users, keys, settings. */
  deployment: OpenDeployment;
  publisher: Publisher;
  /** Null when vectors are switched off: recall then works by keywords. */
  embedder: Embedder | null;
  /** Does the language work of background steps. */
  reasoner: Reasoner;
  /** Rules that read users' texts beside the reasoner's steps, in threads of their own. */
  rules: Rules;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** The server's clock. Rules take their time from the data; this is only the default of "now". */
  clock: () => Date;
};

/** What recall needs besides: the turns of memories that are being recalled from. */
export type RecallContext = Context & { turnCache: TurnCache };

/** What subscriptions need besides: all who follow a log, and how many follow each memory. */
export type WatchContext = Context & { watchers: Watchers; places: Places };

/** What the graph needs: the context of each step that a resolver calls. */
export type GraphContext = RecallContext & WatchContext;

/** What the keyword index needs besides: what splits texts into terms. */
export type IndexContext = Context & { indexer: Indexer };

/** What the worker and its steps need. */
export type JobContext = IndexContext & {
  /** The built-in one, which does what a model cannot do. */
  builtInReasoner: Reasoner;
  /** How much room the embedded database has; null where nobody looks. */
  disk: DiskRoom | null;
};

/** What the transport needs besides the graph. */
export type HttpContext = GraphContext & {
  disk: DiskRoom | null;
  /** The models that this process loads itself. */
  models: readonly LoadingModel[];
  /** The migrations of this version. */
  migrations: readonly string[];
  /** Counts the requests under way, for which background work gives way. */
  load: Load;
  /** Aborted when the server begins to stop: it takes no new work then. */
  stopping: AbortController;
};
