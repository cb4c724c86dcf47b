import { z } from 'zod';
import type { ChannelRule } from '../domain/channel.ts';
import type { Gather } from '../domain/job.ts';
import { channelSchema, timeoutSchema } from '../domain/turn.ts';
import { type Env, InvalidEnvironment, readEnv } from './env.ts';

/** The settings, interpreted: what the rest of the server works with. */
export type Config = {
  server: {
    host: string;
    port: number;
    corsOrigins: string[];
    graphiql: boolean;
    introspection: boolean;
    maxBodyBytes: number;
    maxDepth: number;
    maxComplexity: number;
  };
  database: { url: string | null; folder: string | null; pool: number };
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
  };
  workers: number;
  gather: Gather;
  embedder: Env['EMBEDDER'];
  logLevel: Env['LOG_LEVEL'];
};

/** Words are searchable within a second; vectors cost more and can wait a little longer. */
const GATHER: Gather = { 'index-turns': 500, 'embed-turns': 2_000 };

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** @throws InvalidEnvironment naming every setting that is wrong */
export function loadConfig(source?: Record<string, string | undefined>): Config {
  const env = readEnv(source);
  return {
    server: {
      host: env.HOST,
      port: env.PORT,
      corsOrigins: list(env.CORS_ORIGINS),
      graphiql: env.GRAPHIQL,
      introspection: env.INTROSPECTION,
      maxBodyBytes: env.MAX_BODY_BYTES,
      maxDepth: env.MAX_DEPTH,
      maxComplexity: env.MAX_COMPLEXITY,
    },
    database: {
      url: env.DATABASE_URL ?? null,
      folder: env.DATA_DIR === 'memory' ? null : env.DATA_DIR,
      pool: env.DATABASE_POOL,
    },
    auth: {
      secret: env.JWT_SECRET ?? null,
      jwksUrl: env.JWT_JWKS_URL ?? null,
      issuer: env.JWT_ISSUER ?? null,
      audience: env.JWT_AUDIENCE ?? null,
      openWithoutKeys:
        LOOPBACK.has(env.HOST) && env.JWT_SECRET === undefined && env.JWT_JWKS_URL === undefined,
    },
    threads: {
      channelRules: parseChannels(env.CHANNELS),
      implicitTimeoutMinutes: env.INACTIVITY_TIMEOUT_MINUTES,
      explicitTimeoutMinutes: env.EXPLICIT_IDLE_MINUTES,
    },
    events: { retentionDays: env.EVENT_RETENTION_DAYS },
    recall: { vectorDeadline: env.QUERY_VECTOR_DEADLINE_MS },
    workers: env.WORKERS,
    gather: GATHER,
    embedder: env.EMBEDDER,
    logLevel: env.LOG_LEVEL,
  };
}

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

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
