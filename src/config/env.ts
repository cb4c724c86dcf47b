import { z } from 'zod';

const minutes = (fallback: number) => z.coerce.number().int().min(1).max(43_200).default(fallback);
const count = (fallback: number, max: number) =>
  z.coerce.number().int().min(1).max(max).default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Every environment variable that Mnemograph reads. None is needed for a first try. */
export const envSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('Address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000).describe('Port to listen on.'),
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
  MAX_BODY_BYTES: count(8_000_000, 100_000_000).describe('Largest request body.'),
  MAX_DEPTH: count(12, 50).describe('Deepest nesting of a GraphQL operation.'),
  MAX_COMPLEXITY: count(20_000, 1_000_000).describe('Highest cost of a GraphQL operation.'),
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
    .describe('Background steps at a time; 0 leaves them to other processes.'),
  EMBEDDER: z
    .enum(['built-in', 'none'])
    .default('built-in')
    .describe('What turns text into vectors; "none" leaves recall to keywords.'),
  QUERY_VECTOR_DEADLINE_MS: count(50, 60_000).describe(
    "How long a recall waits for its query's vector before it answers by words alone.",
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('How much to log.'),
});

export type Env = z.output<typeof envSchema>;

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
