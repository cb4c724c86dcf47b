import { z } from 'zod';
import { wholeNumber } from './settings.ts';

const rate = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback);

/** The settings that limit what callers may use. */
export const limitSettings = {
  DISK_RESERVE_MB: rate(128).describe(
    'The embedded database refuses writes while its disk has less free space than this, in megabytes. 0 = no limit.',
  ),
  MAX_BODY_BYTES: wholeNumber(4_000_000, 100_000_000).describe(
    'The largest request body, in bytes.',
  ),
  MAX_ARCHIVE_BYTES: wholeNumber(2_000_000_000, 100_000_000_000).describe(
    'The largest archive that can be restored, in bytes. It is kept in a temporary file during the import.',
  ),
  MAX_DEPTH: wholeNumber(12, 50).describe('The deepest nesting of a GraphQL operation.'),
  MAX_COMPLEXITY: wholeNumber(20_000, 1_000_000).describe(
    'The highest cost of a GraphQL operation.',
  ),
  MAX_ROOT_FIELDS: wholeNumber(20, 1_000).describe(
    'The most top-level fields of an operation, aliases included.',
  ),
  MAX_ANSWER_BYTES: wholeNumber(10_000_000, 100_000_000).describe(
    'The largest answer to an operation, or to one event of a subscription, in bytes.',
  ),
  MAX_CONNECTIONS: wholeNumber(10_000, 1_000_000).describe(
    'The most TCP connections to this process.',
  ),
  MAX_STREAMS_PER_USER: wholeNumber(1_000, 1_000_000).describe(
    'The most WebSockets and event streams per user token.',
  ),
  MAX_STREAMS_PER_KEY: wholeNumber(10_000, 1_000_000).describe(
    'The most WebSockets and event streams per API key.',
  ),
  MAX_SUBSCRIPTIONS: wholeNumber(100, 10_000).describe(
    'The most concurrent operations on one WebSocket.',
  ),
  MAX_SUBSCRIPTIONS_PER_USER: wholeNumber(1_000, 1_000_000).describe(
    "The most concurrent subscriptions to one user's memory, over all connections to this process.",
  ),
  MAX_UNREAD_BYTES: wholeNumber(1_000_000, 1_000_000_000).describe(
    'A WebSocket or event stream is closed when its client leaves more bytes than this unread for two minutes.',
  ),
  RATE_LIMIT_USER: rate(12_000).describe(
    'Operations per minute for each user token, in each process; every aliased field counts. 0 = no limit.',
  ),
  RATE_LIMIT_KEY: rate(120_000).describe(
    'Operations per minute for each API key, counted like RATE_LIMIT_USER. 0 = no limit.',
  ),
  RATE_LIMIT_FAILED_AUTH: rate(300).describe(
    'Attempts per minute with wrong credentials from one address. 0 = no limit.',
  ),
  STEP_TIMEOUT_SECONDS: wholeNumber(900, 86_400).describe(
    'Seconds after which a running background step counts as failed and is retried.',
  ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      "The number of proxies in front of this server that append the caller's address to X-Forwarded-For.",
    ),
};

/** The limits for callers. Rates are per minute; 0 = no limit. */
export type Limits = {
  rootFields: number;
  answerBytes: number;
  connections: number;
  streamsPerUser: number;
  streamsPerKey: number;
  operationsPerSocket: number;
  subscriptionsPerUser: number;
  unreadBytes: number;
  operationsPerUser: number;
  operationsPerKey: number;
  failedAuthentications: number;
  trustedProxies: number;
  /** How long a background step may run, in milliseconds. */
  stepTimeout: number;
};

type LimitEnv = { [Name in keyof typeof limitSettings]: z.output<(typeof limitSettings)[Name]> };

export const readLimits = (env: LimitEnv): Limits => ({
  rootFields: env.MAX_ROOT_FIELDS,
  answerBytes: env.MAX_ANSWER_BYTES,
  connections: env.MAX_CONNECTIONS,
  streamsPerUser: env.MAX_STREAMS_PER_USER,
  streamsPerKey: env.MAX_STREAMS_PER_KEY,
  operationsPerSocket: env.MAX_SUBSCRIPTIONS,
  subscriptionsPerUser: env.MAX_SUBSCRIPTIONS_PER_USER,
  unreadBytes: env.MAX_UNREAD_BYTES,
  operationsPerUser: env.RATE_LIMIT_USER,
  operationsPerKey: env.RATE_LIMIT_KEY,
  failedAuthentications: env.RATE_LIMIT_FAILED_AUTH,
  trustedProxies: env.TRUSTED_PROXIES,
  stepTimeout: env.STEP_TIMEOUT_SECONDS * 1000,
});
