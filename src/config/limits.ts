import { z } from 'zod';
import { count } from './settings.ts';

const rate = (fallback: number) => z.coerce.number().int().min(0).max(1_000_000).default(fallback);

/** The settings of what a caller may use up. */
export const limitSettings = {
  DISK_RESERVE_MB: rate(128).describe(
    "The embedded database takes no writes while less than this is free on its folder's disk. 0 = never mind.",
  ),
  MAX_BODY_BYTES: count(4_000_000, 100_000_000).describe('Largest request body.'),
  MAX_ARCHIVE_BYTES: count(2_000_000_000, 100_000_000_000).describe(
    'Largest archive that can be imported; it lies in a temporary file meanwhile.',
  ),
  MAX_DEPTH: count(12, 50).describe('Deepest nesting of a GraphQL operation.'),
  MAX_COMPLEXITY: count(20_000, 1_000_000).describe('Highest cost of a GraphQL operation.'),
  MAX_ROOT_FIELDS: count(20, 1_000).describe(
    'Most fields of an operation at its top, aliases included.',
  ),
  MAX_ANSWER_BYTES: count(10_000_000, 100_000_000).describe(
    'Largest answer to an operation, or to one event of a subscription.',
  ),
  MAX_CONNECTIONS: count(10_000, 1_000_000).describe('Most TCP connections of this process.'),
  MAX_STREAMS_PER_USER: count(1_000, 1_000_000).describe(
    'Most WebSockets and event streams of a user by token.',
  ),
  MAX_STREAMS_PER_KEY: count(10_000, 1_000_000).describe(
    'Most WebSockets and event streams of an API key.',
  ),
  MAX_SUBSCRIPTIONS: count(100, 10_000).describe('Most operations under way on one WebSocket.'),
  MAX_SUBSCRIPTIONS_PER_USER: count(1_000, 1_000_000).describe(
    "Most subscriptions to one user's memory at a time, over all connections to this process.",
  ),
  MAX_UNREAD_BYTES: count(1_000_000, 1_000_000_000).describe(
    'A WebSocket or event stream that leaves more unread is closed, unless it is catching up.',
  ),
  RATE_LIMIT_USER: rate(12_000).describe(
    'Operations a minute of each user by token, at each process; aliased ones count each. 0 = no limit.',
  ),
  RATE_LIMIT_KEY: rate(120_000).describe('The same of each API key. 0 = no limit.'),
  RATE_LIMIT_FAILED_AUTH: rate(300).describe(
    'Wrong credentials a minute from one address. 0 = no limit.',
  ),
  STEP_TIMEOUT_SECONDS: count(900, 86_400).describe(
    'A background step that runs for longer has failed, and is tried again.',
  ),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'Proxies in front of this server, each of which adds the address of who called it to X-Forwarded-For.',
    ),
};

/** What a caller may use up; rates are by minute, 0 = without limit. */
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
  /** Milliseconds. */
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
