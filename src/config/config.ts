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
import type { Env } from './env.ts';
import { type Limits, readLimits } from './limits.ts';
import { list } from './list.ts';
import { InvalidEnvironment, readEnv } from './read-env.ts';
import { type ModelReasonerConfig, readReasoner } from './reasoner.ts';
import { readWeights } from './weights.ts';

/** The settings, interpreted: what the rest of the server works with. */
export type Config = {
  server: {
    host: string;
    port: number;
    /** Where clients reach it through a proxy. */
    publicUrl: string | null;
    corsOrigins: string[];
    graphiql: boolean;
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
    /** Whether requests without credentials may act as the user `local`, as long as there is no API key. */
    openWithoutKeys: boolean;
  };
  threads: {
    channelRules: ReadonlyMap<string, ChannelRule>;
    implicitTimeoutMinutes: number;
    explicitTimeoutMinutes: number;
  };
  events: { retentionDays: number };
  recall: {
    /** How long a recall waits for its query's vector, in milliseconds. */
    vectorDeadline: number;
    /** How words and vectors come to one score. */
    fusion: Fusion;
    /** Turns from which on a memory is searched by HNSW. */
    hnswFrom: number;
    /** What is held of memories that are being recalled from. */
    cache: { bytes: number; turns: number };
    /** Hits of a recall that does not say how many, and how many of them are facts at most. */
    first: number;
    mostFacts: number;
    weights: MemoryWeights;
  };
  /** The OpenAI-compatible server of the reasoner, and of the embedder unless it has its own. */
  model: {
    baseUrl: string;
    apiKey: string | null;
    concurrency: number;
    /** Milliseconds. */
    timeout: number;
    retries: number;
    /** Milliseconds before the first repetition. */
    retryDelay: number;
    /** Milliseconds for which a server that is away is left alone. */
    pause: number;
    dailyTokens: number | null;
  };
  /** Null: the built-in rules. */
  reasoner: ModelReasonerConfig | null;
  /** How choosy the capture of episodes is. */
  capture: CaptureKnobs;
  consolidation: ConsolidationKnobs;
  linking: { threshold: number; recentHours: number; tuneEvery: number };
  workers: number;
  debounce: Debounce;
  embedder: Env['EMBEDDER'];
  /** Of models in this process. */
  local: { models: string; packages: string | null; hub: string };
  embedding: EmbeddingConfig;
  /** Seconds for which a due step may wait for a worker. */
  readyStallSeconds: number;
  /** The OpenTelemetry collector; null: nothing is traced. */
  otlpEndpoint: string | null;
  logLevel: Env['LOG_LEVEL'];
};

const RETRY_DELAY = 500;
const PAUSE = 5_000;

/** A model behind a network takes longer than one in this process. */
const VECTOR_DEADLINE: Record<Env['EMBEDDER'], number> = {
  'built-in': 50,
  openai: 2_000,
  local: 500,
  none: 50,
};

/** @throws InvalidEnvironment naming every setting that is wrong */
export function loadConfig(source?: Record<string, string | undefined>): Config {
  const env = readEnv(source);
  return {
    server: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: env.PUBLIC_URL ?? null,
      corsOrigins: list(env.CORS_ORIGINS),
      graphiql: env.GRAPHIQL,
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
    list(text).map((entry) => {
      const result = channelEntry.safeParse(entry);
      if (!result.success) {
        throw new InvalidEnvironment(
          `CHANNELS: "${entry}" is not of the form name=EXPLICIT or name=IMPLICIT:minutes`,
        );
      }
      const { name, kind, minutes } = result.data;
      return [name, { kind, inactivityTimeoutMinutes: minutes }];
    }),
  );
}
