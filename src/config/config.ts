import { z } from 'zod';
import { CAPTURE_KNOBS, type CaptureKnobs } from '../domain/episodes/capture.ts';
import type { ConsolidationKnobs } from '../domain/episodes/consolidation.ts';
import type { MemoryWeights } from '../domain/ranking/memory-ranking.ts';
import type { Fusion } from '../domain/ranking/scored.ts';
import type { ChannelRule } from '../domain/turns/channel.ts';
import { channelSchema, timeoutSchema } from '../domain/turns/turn.ts';
import { DEBOUNCE, type Debounce } from '../steps.ts';
import { isOfThisMachine } from './address.ts';
import { type EmbeddingConfig, readEmbedding } from './embedding.ts';
import { entriesOf } from './entries.ts';
import type { Env } from './env.ts';
import { InvalidEnvironment } from './invalid-environment.ts';
import { type Limits, readLimits } from './limits.ts';
import { readEnv } from './read-env.ts';
import { type ModelReasonerConfig, readReasoner } from './reasoner.ts';
import { VERSION } from './version.ts';
import { readWeights } from './weights.ts';

/** The parsed settings, in the form in which the rest of the server uses them. */
export type Config = {
  /** The version of this server. */
  version: string;
  server: {
    host: string;
    port: number;
    /** The address at which clients reach the server through a proxy; null without one. */
    publicUrl: string | null;
    corsOrigins: string[];
    graphiql: boolean;
    console: boolean;
    introspection: boolean;
    maxBodyBytes: number;
    maxArchiveBytes: number;
    maxDepth: number;
    maxComplexity: number;
  };
  limits: Limits;
  database: { url: string | null; folder: string | null; pool: number; reserveBytes: number };
  auth: {
    secret: string | null;
    jwksUrl: string | null;
    issuer: string | null;
    audience: string | null;
    /** Whether requests without credentials act as the user `local` until the first API key is created. */
    openWithoutKeys: boolean;
  };
  threads: {
    channelRules: ReadonlyMap<string, ChannelRule>;
    implicitTimeoutMinutes: number;
    explicitTimeoutMinutes: number;
  };
  events: { retentionDays: number };
  recall: {
    /** How long a recall waits for the vector of its query, in milliseconds. */
    vectorDeadline: number;
    /** How BM25 and vector results are combined into one score. */
    fusion: Fusion;
    /** The number of turns from which on the HNSW index is used. */
    hnswFrom: number;
    /** Limits of the turn cache: its size, and the number of turns from which on a memory is not cached. */
    cache: { bytes: number; turns: number };
    /** The number of hits of a recall that does not ask for a number. */
    first: number;
    /** The most facts that a recall finds in addition to the known ones. */
    mostFacts: number;
    weights: MemoryWeights;
  };
  /** The OpenAI-compatible server of the reasoner, and of the embedder unless it has its own. */
  model: {
    baseUrl: string;
    apiKey: string | null;
    concurrency: number;
    /** The time limit for one request, in milliseconds. */
    timeout: number;
    retries: number;
    /** The delay before the first retry, in milliseconds. */
    retryDelay: number;
    /** How long nothing is sent to a server that is not available, in milliseconds. */
    pause: number;
    /** Null: no limit. */
    dailyTokens: number | null;
  };
  /** Null: the built-in rules. */
  reasoner: ModelReasonerConfig | null;
  /** Which closed segments become episodes. */
  capture: CaptureKnobs;
  consolidation: ConsolidationKnobs;
  linking: { threshold: number; recentHours: number; tuneEvery: number };
  workers: number;
  debounce: Debounce;
  embedder: Env['EMBEDDER'];
  /** Where local models and their packages are stored, and the hub from which models are downloaded. */
  local: { models: string; packages: string | null; hub: string };
  embedding: EmbeddingConfig;
  /** How long a job may be due without a worker before the server reports "not ready", in seconds. */
  readyStallSeconds: number;
  /** The OpenTelemetry collector; null: tracing is off. */
  otlpEndpoint: string | null;
  logLevel: Env['LOG_LEVEL'];
};

const RETRY_DELAY = 500;
const PAUSE = 5_000;

/** Default deadlines in milliseconds. A model behind a network needs longer than one in this process. */
const VECTOR_DEADLINE: Record<Env['EMBEDDER'], number> = {
  'built-in': 50,
  openai: 2_000,
  local: 500,
  none: 50,
};

/**
 * Reads the settings from the environment.
 * @param source the variables; `process.env` by default
 * @throws InvalidEnvironment listing every setting that is wrong
 */
export function loadConfig(source?: Record<string, string | undefined>): Config {
  const env = readEnv(source);
  return {
    version: VERSION,
    server: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL ?? null,
      corsOrigins: entriesOf(env.CORS_ORIGINS),
      graphiql: env.GRAPHIQL,
      console: env.CONSOLE,
      introspection: env.INTROSPECTION,
      maxBodyBytes: env.MAX_BODY_BYTES,
      maxArchiveBytes: env.MAX_ARCHIVE_BYTES,
      maxDepth: env.MAX_DEPTH,
      maxComplexity: env.MAX_COMPLEXITY,
    },
    limits: readLimits(env),
    database: {
      url: env.DATABASE_URL ?? null,
      folder: env.DATA_DIR === 'memory' ? null : env.DATA_DIR,
      pool: env.DATABASE_POOL,
      reserveBytes: env.DISK_RESERVE_MB * 1024 * 1024,
    },
    auth: {
      secret: env.JWT_SECRET ?? null,
      jwksUrl: env.JWT_JWKS_URL ?? null,
      issuer: env.JWT_ISSUER ?? null,
      audience: env.JWT_AUDIENCE ?? null,
      openWithoutKeys:
        isOfThisMachine(env) && env.JWT_SECRET === undefined && env.JWT_JWKS_URL === undefined,
    },
    threads: {
      channelRules: parseChannels(env.CHANNELS),
      implicitTimeoutMinutes: env.INACTIVITY_TIMEOUT_MINUTES,
      explicitTimeoutMinutes: env.EXPLICIT_IDLE_MINUTES,
    },
    events: { retentionDays: env.EVENT_RETENTION_DAYS },
    recall: {
      vectorDeadline: env.QUERY_VECTOR_DEADLINE_MS ?? VECTOR_DEADLINE[env.EMBEDDER],
      fusion: env.RECALL_FUSION,
      hnswFrom: env.RECALL_HNSW_FROM,
      cache: { bytes: env.RECALL_CACHE_MB * 1_000_000, turns: env.RECALL_HNSW_FROM },
      first: env.MEMORY_CONTEXT_TOPN,
      mostFacts: env.MEMORY_CONTEXT_TOPK,
      weights: readWeights(env.MEMORY_RERANK_WEIGHTS),
    },
    model: {
      baseUrl: env.OPENAI_BASE_URL,
      apiKey: env.OPENAI_API_KEY ?? null,
      concurrency: env.MODEL_CONCURRENCY,
      timeout: env.MODEL_TIMEOUT_MS,
      retries: env.MODEL_RETRIES,
      retryDelay: RETRY_DELAY,
      pause: PAUSE,
      dailyTokens: env.MODEL_DAILY_TOKENS ?? null,
    },
    reasoner: readReasoner(env),
    capture: {
      ...CAPTURE_KNOBS,
      everything: env.EPISODIC_CAPTURE === 'everything',
      cooldownTurns: env.EPISODIC_COOLDOWN_TURNS,
      cooldownMinutes: env.EPISODIC_COOLDOWN_MINUTES,
      maxPerDay: env.EPISODIC_MAX_PER_DAY,
      noveltyMin: env.EPISODIC_NOVELTY_MIN,
      mergeWindowHours: env.EPISODIC_MERGE_WINDOW_HOURS,
      windowTurns: env.EPISODIC_WINDOW_N,
    },
    consolidation: {
      episodes: env.CONSOLIDATION_EPISODES,
      sessionEpisodes: env.CONSOLIDATION_SESSION_EPISODES,
      factEpisodes: env.CONSOLIDATION_FACT_EPISODES,
    },
    linking: {
      threshold: env.LINKING_THRESHOLD,
      recentHours: env.LINKING_RECENT_HOURS,
      tuneEvery: env.LINKING_TUNE_EVERY,
    },
    workers: env.WORKERS,
    debounce: DEBOUNCE,
    embedder: env.EMBEDDER,
    local: {
      models: env.LOCAL_MODELS,
      packages: env.LOCAL_PACKAGES ?? null,
      hub: env.HF_ENDPOINT,
    },
    embedding: readEmbedding(env),
    readyStallSeconds: env.READY_STALL_SECONDS,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    logLevel: env.LOG_LEVEL,
  };
}

const channelEntry = z
  .string()
  .regex(/^[^=]+=(EXPLICIT|IMPLICIT)(:\d+)?$/)
  .transform((entry) => {
    const [name = '', rule = ''] = entry.split('=');
    const [kind, minutes] = rule.split(':');
    return { name, kind: kind as ChannelRule['kind'], minutes: minutes ? Number(minutes) : null };
  })
  .pipe(
    z.object({
      name: channelSchema,
      kind: z.enum(['EXPLICIT', 'IMPLICIT']),
      minutes: timeoutSchema.nullable(),
    }),
  );

function parseChannels(text: string): Map<string, ChannelRule> {
  return new Map(
    entriesOf(text).map((entry) => {
      const result = channelEntry.safeParse(entry);
      if (!result.success) {
        throw new InvalidEnvironment(
          `CHANNELS: "${entry}" must be name=EXPLICIT, name=IMPLICIT or name=IMPLICIT:minutes (1-43,200)`,
        );
      }
      const { name, kind, minutes } = result.data;
      return [name, { kind, inactivityTimeoutMinutes: minutes }];
    }),
  );
}
