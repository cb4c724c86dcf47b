import { SignJWT } from 'jose';
import { type App, createApp, type Overrides } from '../../src/app.ts';
import { createApiKey } from '../../src/auth/api-keys.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { SentStatement } from '../../src/db/core/database.ts';
import { createGraphQLServer } from '../../src/http/graphql.ts';
import { drainJobs } from '../../src/jobs/worker.ts';
import { STEPS } from '../../src/pipeline.ts';
import { DEBOUNCE, type Debounce } from '../../src/steps.ts';
import { createTestDatabase } from './database/database.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { sharedEmbedder, sharedIndexer, sharedThreads } from './shared.ts';

const SECRET = 'a secret for tests that is long enough';

/** A caller in a test: a user with a token, or an application with an API key. */
export type Client = {
  userId: string;
  /** Runs a typed operation over the real HTTP handler. @throws on GraphQL errors */
  execute<R, V>(
    operation: TypedDocumentString<R, V>,
    ...[variables]: V extends Record<string, never> ? [V?] : [V]
  ): Promise<R>;
  /** Returns the raw answer to a raw body. */
  post(
    body: unknown,
  ): Promise<{ status: number; body: { data?: unknown; errors?: GraphQLErrors } }>;
};
type GraphQLErrors = { message: string; extensions?: { code?: string } }[];

/** A server in this process with a database and a clock of its own. */
export type World = AsyncDisposable & {
  readonly ctx: Readonly<App>;
  /** Replaces dependencies of the server until the result is disposed or `restore` is called. */
  with(replaced: Partial<App>): Disposable;
  /** Replaces settings in the same way. */
  configured(settings: Partial<App['config']>): Disposable;
  /** Restores all dependencies that were replaced. */
  restore(): void;
  /** The current time by the server's clock. */
  now: Date;
  /** Statements sent since the last `statements.length = 0`. */
  statements: SentStatement[];
  /** The names of these statements that match, in their order. */
  sent(name: RegExp): string[];
  user(userId: string): Promise<Client>;
  key(): Promise<Client>;
  client(authorization?: string): Client;
  /** Runs all background work that is due. */
  settle(): Promise<void>;
};

/**
 * A thousandth of the usual debounces, so that steps run in the usual order: one that waits for further changes runs once, after
 * all of them. The end of a thread is not waited for.
 */
const DEBOUNCES: Debounce = Object.fromEntries(
  Object.entries(DEBOUNCE).map(([step, milliseconds]) => [
    step,
    step === STEPS.idleThread ? 0 : milliseconds / 1_000,
  ]),
);
const LONGEST = Math.max(...Object.values(DEBOUNCES));

/** Creates a world with settings of the environment and replaced dependencies. */
export async function createWorld(
  settings: Record<string, string> = {},
  overrides: Overrides = {},
): Promise<World> {
  const database = await createTestDatabase();
  const statements: SentStatement[] = [];
  const loaded = loadConfig({
    JWT_SECRET: SECRET,
    LOG_LEVEL: 'silent',
    QUERY_VECTOR_DEADLINE_MS: '20000',
    RATE_LIMIT_USER: '0',
    RATE_LIMIT_KEY: '0',
    ...settings,
  });
  const config = { ...loaded, debounce: DEBOUNCES, model: { ...loaded.model, retryDelay: 1 } };
  const shared = sharedFor(settings);
  // An earlier test may have ended a thread; until another is ready, requests would be answered without the rules.
  await shared.languageThreads?.warm();
  const ctx = await createApp(config, {
    connection: database,
    clock: () => world.now,
    observe: (statement) => statements.push(statement),
    ...shared,
    ...overrides,
  });
  const graphql = createGraphQLServer(ctx);
  const post = async (body: unknown, authorization?: string) => {
    const response = await graphql.fetch('http://memory.test/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization ? { authorization } : {}),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  const client = (userId: string, authorization?: string): Client => ({
    userId,
    post: (body) => post(body, authorization),
    async execute(operation, ...[variables]) {
      const query = operation.toString();
      const { body } = await post({ query, variables }, authorization);
      const { data, errors } = body as { data: never; errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  });
  const originals: Partial<App> = {};
  const world: World = {
    ctx,
    with: (replaced) => {
      const before = Object.keys(replaced).map((name) => [name, ctx[name as keyof App]]);
      Object.assign(originals, Object.fromEntries(before), { ...originals });
      Object.assign(ctx, replaced);
      return { [Symbol.dispose]: () => void Object.assign(ctx, Object.fromEntries(before)) };
    },
    configured: (settings) => world.with({ config: { ...ctx.config, ...settings } }),
    restore: () => void Object.assign(ctx, originals),
    now: new Date('2026-03-02T09:00:00Z'),
    statements,
    sent: (pattern) => statements.flatMap(({ name }) => (name?.match(pattern) ? [name] : [])),
    user: async (userId) => client(userId, `Bearer ${await userToken(userId)}`),
    key: async () => client('', `Bearer ${(await createApiKey(ctx, 'test')).secret}`),
    client: (authorization) => client('', authorization),
    settle: () => drainJobs(ctx, LONGEST),
    async [Symbol.asyncDispose]() {
      await graphql.dispose();
      await ctx[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  return world;
}

/** Returns the shared dependencies that run in threads, unless a test configures an embedder of its own. */
function sharedFor({
  EMBEDDER = 'built-in',
  EMBEDDING_PROFILE,
}: Record<string, string>): Overrides {
  const indexer = sharedIndexer();
  if (EMBEDDER === 'none') return { indexer, languageThreads: sharedThreads(false) };
  if (EMBEDDER !== 'built-in' || EMBEDDING_PROFILE) return { indexer };
  return { indexer, embedder: sharedEmbedder(), languageThreads: sharedThreads(true) };
}

/** Creates a token as an application would. Its expiry is checked by the real clock. */
export const userToken = (userId: string, expires = '1h', secret = SECRET): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));
