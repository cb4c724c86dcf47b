import { z } from 'zod';
import { CAPTURE_KNOBS } from '../domain/capture.ts';
import { captureLimits } from '../domain/capture-settings.ts';
import { SEED_THRESHOLD } from '../domain/linking.ts';
import { RERANK_NAMES } from '../domain/memory-ranking.ts';
import { addressSettings } from './address.ts';
import { embeddingSettings } from './embedding-settings.ts';
import { limitSettings } from './limits.ts';
import { key, modelServer } from './server-settings.ts';
import { count, optional } from './settings.ts';

const minutes = (fallback: number) => z.coerce.number().int().min(1).max(43_200).default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
/** One of capture's knobs: its default and bounds are capture's own. */
const knob = (name: Exclude<keyof typeof captureLimits, 'everything'>) =>
  z.coerce.number().pipe(captureLimits[name]).default(CAPTURE_KNOBS[name]);

/** Every environment variable that Mnemograph reads. None is needed for a first try. */
export const envSchema = z.object({
  ...addressSettings,
  DATA_DIR: z
    .string()
    .default('./data')
    .describe('Folder of the embedded database; "memory" keeps nothing on disk.'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'PostgreSQL with pgvector, such as postgresql://user:password@host:5432/name. Replaces the embedded database.',
  ),
  DATABASE_POOL: count(10, 200).describe('Most connections to the database.'),
  JWT_SECRET: optional(z.string().min(32, 'must be at least 32 characters')).describe(
    'Secret of HS256 user tokens; their "sub" is the user.',
  ),
  JWT_JWKS_URL: optional(z.url({ protocol: /^https?$/ })).describe(
    'Address of the key set that signs user tokens.',
  ),
  JWT_ISSUER: optional(z.string()).describe('Required "iss" of user tokens.'),
  JWT_AUDIENCE: optional(z.string()).describe('Required "aud" of user tokens.'),
  CORS_ORIGINS: z
    .string()
    .default('')
    .describe('Origins of web pages that may call, separated by commas. None by default.'),
  GRAPHIQL: flag(true).describe('Whether to serve GraphiQL.'),
  INTROSPECTION: flag(true).describe('Whether the schema can be asked for.'),
  ...limitSettings,
  CHANNELS: z
    .string()
    .default('')
    .describe(
      'Kinds of further channels and their timeouts in minutes, such as "kiosk=EXPLICIT,pager=IMPLICIT:10".',
    ),
  INACTIVITY_TIMEOUT_MINUTES: minutes(30).describe(
    'Silence after which an implicit channel begins a new thread.',
  ),
  EXPLICIT_IDLE_MINUTES: minutes(180).describe('Silence after which an explicit thread is idle.'),
  EVENT_RETENTION_DAYS: count(90, 36_500).describe('How long the event log is kept.'),
  WORKERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .default(4)
    .describe(
      'Background steps at a time of each kind (rows, vectors, language; of those that learn facts by rules four times as many); 0 leaves them to other processes.',
    ),
  ...embeddingSettings,
  EPISODIC_CAPTURE: z
    .enum(['selective', 'everything'])
    .default('selective')
    .describe('Which closed segments become episodes: those worth it, or everything.'),
  EPISODIC_COOLDOWN_TURNS: knob('cooldownTurns').describe(
    'Turns after which an episode may follow another.',
  ),
  EPISODIC_COOLDOWN_MINUTES: knob('cooldownMinutes').describe(
    'Minutes after which it may in any case.',
  ),
  EPISODIC_MAX_PER_DAY: knob('maxPerDay').describe(
    "Most episodes created on one day of the user's.",
  ),
  EPISODIC_NOVELTY_MIN: knob('noveltyMin').describe(
    'Least share of its words, 0-1, that must be new in an episode.',
  ),
  EPISODIC_MERGE_WINDOW_HOURS: knob('mergeWindowHours').describe(
    'Hours for which an episode takes in others of its theme.',
  ),
  EPISODIC_WINDOW_N: knob('windowTurns').describe(
    'An episode is described by so many of its newest turns, 3-40.',
  ),
  CONSOLIDATION_EPISODES: count(8, 200).describe(
    'So many episodes that are in no semantic memory become one.',
  ),
  CONSOLIDATION_SESSION_EPISODES: count(3, 200).describe(
    'So many do at the end of a session: after half an hour without a message in any thread.',
  ),
  CONSOLIDATION_FACT_EPISODES: count(3, 200).describe(
    'Facts are taken from so many episodes at once; from a flashbulb at once.',
  ),
  LINKING_THRESHOLD: z.coerce
    .number()
    .gt(0)
    .lt(1)
    .default(SEED_THRESHOLD)
    .describe(
      'Score above which the algorithm says that two threads belong together, until tuning finds a better one.',
    ),
  LINKING_RECENT_HOURS: count(24, 8_760).describe(
    'All threads of so many hours are compared with a new one, and what is recent counts more.',
  ),
  LINKING_TUNE_EVERY: count(100, 100_000).describe(
    'So many rated decisions about links are tuned by at a time.',
  ),
  REASONER: z
    .enum(['extractive', 'openai', 'local'])
    .default('extractive')
    .describe(
      'What does the language work: the built-in rules, a model behind an OpenAI-compatible server, or one in this process (docs/models.md).',
    ),
  REASONER_MODEL: optional(z.string()).describe(
    'Name of the language model, such as "gpt-5-mini"; with REASONER=local a GGUF file, or its address such as "hf:owner/name/file.gguf".',
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
    .describe('Temperature of the language model, 0-2. Left out where the model takes none.'),
  REASONER_INPUT_TOKENS: count(8_000, 1_000_000).describe(
    'Most tokens of conversation in one request to the language model; what is longer is cut.',
  ),
  OPENAI_BASE_URL: modelServer('OPENAI_API_KEY')
    .default('https://api.openai.com/v1')
    .describe('Address of the OpenAI-compatible server.'),
  OPENAI_API_KEY: optional(key).describe('Its key, if it wants one.'),
  MODEL_CONCURRENCY: count(4, 256).describe("Requests to a model's server at a time."),
  MODEL_TIMEOUT_MS: count(60_000, 3_600_000).describe(
    "How long one request to a model's server may take.",
  ),
  MODEL_RETRIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(3)
    .describe('How often a request is repeated after a 429, a 5xx or a broken connection.'),
  MODEL_DAILY_TOKENS: optional(z.coerce.number().int().min(1)).describe(
    'Most tokens that background work may spend in a day (UTC) over all users; then it waits for the next day.',
  ),
  LOCAL_MODELS: z
    .string()
    .default('./models')
    .describe(
      'Folder in which models of EMBEDDER=local and REASONER=local are kept that were fetched.',
    ),
  LOCAL_PACKAGES: optional(z.string()).describe(
    "Folder in which the packages that local models need were installed; among the server's own if left out.",
  ),
  HF_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Address of the hub that local models are fetched from, or of a mirror.'),
  QUERY_VECTOR_DEADLINE_MS: optional(z.coerce.number().int().min(1).max(60_000)).describe(
    "How long a recall waits for its query's vector before it answers by words alone: 50 if left out, 2000 with EMBEDDER=openai, 500 with EMBEDDER=local.",
  ),
  RECALL_FUSION: z
    .enum(['weighted', 'rrf'])
    .default('weighted')
    .describe(
      'How words and meaning come to one score: a weighted sum, or reciprocal ranks (k = 60), which need no scale.',
    ),
  RECALL_HNSW_FROM: count(20_000, 1_000_000_000).describe(
    'A memory of so many turns is searched by an HNSW index; smaller ones exactly.',
  ),
  RECALL_CACHE_MB: z.coerce
    .number()
    .int()
    .min(0)
    .default(256)
    .describe(
      'Megabytes for the turns (without their words) of the memories that are being recalled from, so that recalls read only what is new; 0 = none are held.',
    ),
  MEMORY_CONTEXT_TOPK: count(24, 100).describe(
    'Most facts that a recall finds beside the known ones.',
  ),
  MEMORY_CONTEXT_TOPN: count(10, 100).describe('Hits of a recall that does not say how many.'),
  MEMORY_RERANK_WEIGHTS: z
    .string()
    .default('')
    .describe(
      `What counts how much when facts and episodes are ranked, such as "recency=0.2,pinned=0.1": ${RERANK_NAMES.join(', ')}.`,
    ),
  READY_STALL_SECONDS: count(600, 86_400).describe(
    'A background step that is due and waits so long for a worker makes /readyz say no.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(z.url({ protocol: /^https?$/ })).describe(
    'OpenTelemetry collector that traces are sent to, such as http://localhost:4318; none are made if left out. OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME and OTEL_TRACES_SAMPLER count too.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much to log.'),
});

export type Env = z.output<typeof envSchema>;

/** @throws InvalidEnvironment where OpenAI itself is to be asked without a key */
export function requireKey(
  apiKey: string | null | undefined,
  baseUrl: string,
  names: { key: string; url: string },
): void {
  if (apiKey || new URL(baseUrl).hostname !== 'api.openai.com') return;
  throw new InvalidEnvironment(
    `${names.key}: OpenAI wants a key; for another server set ${names.url}`,
  );
}

/** The environment has mistakes; the message lists all of them. */
export class InvalidEnvironment extends Error {
  override readonly name = 'InvalidEnvironment';
}

/**
 * Reads the environment.
 * @throws InvalidEnvironment naming every variable that is wrong and what it should be
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const result = envSchema.safeParse(source);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const what = envSchema.shape[name as keyof Env]?.description ?? '';
    return `  ${name}: ${issue.message}. ${what}`;
  });
  throw new InvalidEnvironment(`These settings are wrong:\n${lines.join('\n')}`);
}
