import { z } from 'zod';
import { CAPTURE_KNOBS } from '../domain/episodes/capture.ts';
import { captureLimits } from '../domain/episodes/capture-settings.ts';
import { NEUTRAL_THRESHOLD } from '../domain/links/linking.ts';
import { RERANK_NAMES } from '../domain/ranking/memory-ranking.ts';
import { addressSettings } from './address.ts';
import { embeddingSettings } from './embedding-settings.ts';
import { limitSettings } from './limits.ts';
import { key, modelServer } from './server-settings.ts';
import { optional, wholeNumber } from './settings.ts';

const minutes = (fallback: number) => z.coerce.number().int().min(1).max(43_200).default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
/** A setting of capture, with the default and the bounds that capture declares. */
const knob = (name: Exclude<keyof typeof captureLimits, 'everything'>) =>
  z.coerce.number().pipe(captureLimits[name]).default(CAPTURE_KNOBS[name]);

/** Every environment variable that Mnemograph reads. The server starts without any of them. */
export const envSchema = z.object({
  ...addressSettings,
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('The folder of the embedded database; "memory" stores nothing on disk.'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'A PostgreSQL server with pgvector, such as postgresql://user:password@host:5432/name, to use instead of the embedded database.',
  ),
  DATABASE_POOL: wholeNumber(10, 200).describe('The most connections to the database.'),
  JWT_SECRET: optional(z.string().min(32, 'must be at least 32 characters')).describe(
    'The secret with which user tokens are signed (HS256). The token\'s "sub" names the user.',
  ),
  JWT_JWKS_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'The address of the key set (JWKS) that verifies user tokens.',
  ),
  JWT_ISSUER: optional(z.string()).describe('The "iss" that user tokens must have.'),
  JWT_AUDIENCE: optional(z.string()).describe('The "aud" that user tokens must have.'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .describe(
      'Origins of web pages that may call this server, separated by commas. None by default.',
    ),
  GRAPHIQL: flag(true).describe('Whether to serve GraphiQL.'),
  CONSOLE: flag(true).describe('Whether to serve the web console.'),
  INTROSPECTION: flag(true).describe('Whether clients may query the schema itself.'),
  ...limitSettings,
  CHANNELS: z
    .string()
    .default('')
    .describe(
      'Kinds of channels, also of built-in ones, with optional timeouts in minutes, such as "kiosk=EXPLICIT,pager=IMPLICIT:10".',
    ),
  INACTIVITY_TIMEOUT_MINUTES: minutes(30).describe(
    'Minutes of inactivity after which an implicit channel begins a new thread.',
  ),
  EXPLICIT_IDLE_MINUTES: minutes(180).describe(
    'Minutes of inactivity after which an explicit thread becomes idle, whatever its channel.',
  ),
  EVENT_RETENTION_DAYS: wholeNumber(90, 36_500).describe('Days for which the event log is kept.'),
  WORKERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .default(4)
    .describe(
      'Concurrent background steps per lane (rows, vectors, facts, segments, language; four times as many in the ' +
        'last three by the built-in rules; one while requests leave the main thread no time). 0 leaves background work to other processes.',
    ),
  ...embeddingSettings,
  EPISODIC_CAPTURE: z
    .enum(['selective', 'everything'])
    .default('selective')
    .describe(
      'Which closed segments become episodes: notable ones ("selective") or all ("everything").',
    ),
  EPISODIC_COOLDOWN_TURNS: knob('cooldownTurns').describe(
    'A new episode is created after this many turns, or after EPISODIC_COOLDOWN_MINUTES; 0 in either = no cooldown.',
  ),
  EPISODIC_COOLDOWN_MINUTES: knob('cooldownMinutes').describe(
    'A new episode is created after this many minutes, or after EPISODIC_COOLDOWN_TURNS; 0 in either = no cooldown.',
  ),
  EPISODIC_MAX_PER_DAY: knob('maxPerDay').describe(
    "The most episodes created per day of the user's calendar.",
  ),
  EPISODIC_NOVELTY_MIN: knob('noveltyMin').describe(
    "The share of a segment's words, 0-1, that must be new for it to become an episode.",
  ),
  EPISODIC_MERGE_WINDOW_HOURS: knob('mergeWindowHours').describe(
    'Hours during which segments of the same theme are merged into an episode.',
  ),
  EPISODIC_WINDOW_N: knob('windowTurns').describe(
    'The number of newest turns from which an episode is described, 3-40.',
  ),
  CONSOLIDATION_EPISODES: wholeNumber(8, 200).describe(
    'Episodes without a semantic memory that trigger consolidation at any time.',
  ),
  CONSOLIDATION_SESSION_EPISODES: wholeNumber(3, 200).describe(
    'Episodes without a semantic memory that trigger consolidation when a session ends (30 minutes without a turn).',
  ),
  CONSOLIDATION_FACT_EPISODES: wholeNumber(3, 200).describe(
    'The number of episodes without extracted facts that triggers fact extraction. A flashbulb triggers it at once.',
  ),
  LINKING_THRESHOLD: z.coerce
    .number()
    .gt(0)
    .lt(1)
    .default(NEUTRAL_THRESHOLD)
    .describe(
      'The score above which the algorithm considers two threads related, until tuning finds a better threshold.',
    ),
  LINKING_RECENT_HOURS: wholeNumber(24, 8_760).describe(
    'A new thread is compared with all threads of this many past hours; more recent ones score higher.',
  ),
  LINKING_TUNE_EVERY: wholeNumber(100, 100_000).describe(
    'The number of rated link decisions after which linking is tuned again.',
  ),
  REASONER: z
    .enum(['extractive', 'openai', 'local'])
    .default('extractive')
    .describe(
      'What does the language work: the built-in rules, a model behind an OpenAI-compatible server, or a ' +
        'model in this process (docs/models.md).',
    ),
  REASONER_MODEL: optional(z.string()).describe(
    'The name of the language model, such as "gpt-5-mini"; with REASONER=local a GGUF file, or its address ' +
      'such as "hf:owner/name/file.gguf".',
  ),
  REASONER_STEPS: z
    .string()
    .default('')
    .describe(
      'Other models or temperatures for single steps, such as "compact=gpt-5,extract-facts=gpt-5-mini@0.2".',
    ),
  REASONER_TEMPERATURE: z.coerce
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe(
      'The temperature of the language model, 0-2. It is not sent to models that accept none.',
    ),
  REASONER_INPUT_TOKENS: wholeNumber(8_000, 1_000_000).describe(
    'The most tokens of conversation in one request to the language model; longer input is cut.',
  ),
  OPENAI_BASE_URL: modelServer('OPENAI_API_KEY')
    .default('https://api.openai.com/v1')
    .describe('The address of the OpenAI-compatible server.'),
  OPENAI_API_KEY: optional(key).describe('The API key for that server, if it requires one.'),
  MODEL_CONCURRENCY: wholeNumber(4, 256).describe(
    "The most concurrent requests to a model's server.",
  ),
  MODEL_TIMEOUT_MS: wholeNumber(60_000, 3_600_000).describe(
    "The time limit for one request to a model's server, in milliseconds.",
  ),
  MODEL_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(3)
    .describe(
      'How often a request is retried after a 429, a 5xx, a timeout or a broken connection.',
    ),
  MODEL_DAILY_TOKENS: optional(z.coerce.number().int().min(1)).describe(
    'The most tokens that background work may use per day (UTC) for all users together; after that it waits for the next day.',
  ),
  LOCAL_MODELS: z
    .string()
    .default('./models')
    .describe('The folder for downloaded models of EMBEDDER=local and REASONER=local.'),
  LOCAL_PACKAGES: optional(z.string()).describe(
    "The folder in which the packages for local models are installed. Defaults to the server's own packages.",
  ),
  HF_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('The address of the hub from which local models are downloaded, or of a mirror.'),
  QUERY_VECTOR_DEADLINE_MS: optional(z.coerce.number().int().min(1).max(60_000)).describe(
    'Milliseconds that a recall waits for the vector of its query before it answers by keywords only. Defaults ' +
      'to 50; 2000 with EMBEDDER=openai, 500 with EMBEDDER=local.',
  ),
  RECALL_FUSION: z
    .enum(['weighted', 'rrf'])
    .default('weighted')
    .describe(
      'How keyword and semantic scores are combined: as a weighted sum, or by reciprocal ranks (k = 60), which need no calibration.',
    ),
  RECALL_HNSW_FROM: wholeNumber(20_000, 1_000_000_000).describe(
    'Memories with at least this many turns use the HNSW index; smaller ones are scanned: exactly up to 2,000 turns, by the signs of the vectors beyond.',
  ),
  RECALL_CACHE_MB: z.coerce
    .number()
    .int()
    .min(0)
    .default(256)
    .describe(
      'Megabytes for caching turns (without their text) of memories in use, so that a recall reads only new ones. 0 = no cache.',
    ),
  MEMORY_CONTEXT_TOPK: wholeNumber(24, 100).describe(
    'The most facts that a recall finds in addition to the known ones.',
  ),
  MEMORY_CONTEXT_TOPN: wholeNumber(10, 100).describe(
    'The number of hits of a recall that does not ask for a number.',
  ),
  MEMORY_RERANK_WEIGHTS: z
    .string()
    .default('')
    .describe(
      `Weights for the ranking of facts and episodes, such as "recency=0.2,pinned=0.1". The names are: ${RERANK_NAMES.join(', ')}.`,
    ),
  READY_STALL_SECONDS: wholeNumber(600, 86_400).describe(
    '/readyz reports "not ready" when a background step has been due for this many seconds without a worker.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url({ protocol: /^https?$/ })).describe(
    'The OpenTelemetry collector that receives traces, such as http://localhost:4318. Without it no traces ' +
      'are made. OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER are honoured too.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The lowest level of log lines to write.'),
});

export type Env = z.output<typeof envSchema>;
