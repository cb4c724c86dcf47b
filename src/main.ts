import type { App } from './app.ts';
import { loadConfig } from './config/config.ts';
import { InvalidSetting } from './domain/core/errors.ts';
import { explainFailure } from './explain-failure.ts';
import { guideTo } from './guide.ts';
import { createLanguageThreads } from './language-threads/language-threads.ts';
import { createLogger } from './observability/logger.ts';
import { type OpenDatabase, openConfigured } from './open-database.ts';

/** The argument with which the command `mnemograph` asks for the lines to paste; a terminal gets them anyway. */
const GUIDE = '--guide';

/**
 * Signals that come within this time are one, in milliseconds: Ctrl+C reaches this process from the terminal, and again from the
 * commands that have started it (`mnemograph`, npx).
 */
const SAME_SIGNAL = 1_000;

/** How long a shutdown may take, in milliseconds, before the process exits with code 1. */
const SHUTDOWN_TIMEOUT = 9_000;

// Otherwise GraphQL.js checks at each look at a type whether it is loaded twice.
// biome-ignore lint/style/noProcessEnv: no setting of this server
process.env.NODE_ENV ??= 'production';

try {
  const unknown = process.argv.slice(2).filter((argument) => argument !== GUIDE);
  if (unknown.length > 0) {
    throw new InvalidSetting(
      `The server has no argument "${unknown.join(' ')}". Settings are environment variables, such as PORT=4100 ` +
        '(docs/configuration.md).',
    );
  }
  const config = loadConfig();
  if (!config.auth.openWithoutKeys && !config.auth.secret && !config.auth.jwksUrl) {
    process.stderr.write(
      `${config.server.publicUrl ? `Reached at ${config.server.publicUrl}` : `Listening on ${config.server.host}`}: ` +
        'every caller needs credentials. Create an API key with "npm run keys -- create ' +
        `NAME"${config.database.url === null ? ' while the server is stopped' : ''}, or set JWT_SECRET or ` +
        'JWT_JWKS_URL.\n',
    );
  }
  let app: App | null = null;
  const languageThreads = createLanguageThreads(() => app?.embedder ?? null);
  // They take longest to start: so they load their rules while the rest of the server is loaded. `warm` of the app reports a failure.
  languageThreads.warm().catch(() => undefined);
  const logger = createLogger(config.logLevel);
  // The database opens in a thread of its own, too. What it needs of this one comes first: beside the loading of modules that
  // would take half a second longer.
  let opening!: Promise<OpenDatabase>;
  await new Promise<void>((begun) => {
    opening = openConfigured(config.database, logger, begun);
    // `createApp` reports a failure.
    opening.catch(() => undefined).finally(begun);
  });
  const { createApp } = await import('./app.ts');
  // What is needed later is loaded before the database is open.
  const serving = import('./serve-app.ts');
  app = await createApp(config, { languageThreads, logger, opening });
  await serve(app, await serving);
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

async function serve(ctx: App, { serveApp }: typeof import('./serve-app.ts')): Promise<void> {
  const server = await serveApp(ctx);
  let stoppedAt: number | null = null;
  const stop = async () => {
    if (stoppedAt !== null) {
      // A second signal ends the process at once.
      if (performance.now() - stoppedAt > SAME_SIGNAL) process.exit(1);
      return;
    }
    stoppedAt = performance.now();
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT).unref();
    await server[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const { publicUrl } = ctx.config.server;
  const origin = publicUrl?.replace(/\/$/, '') ?? new URL(server.url).origin;
  const reached = publicUrl ? `Clients reach it at ${origin}/graphql\n` : '';
  const isRead = process.stdout.isTTY || process.argv.includes(GUIDE);
  const guide = isRead ? guideTo(origin, ctx.config.auth.openWithoutKeys) : '';
  // Printed last: a caller that waits for this line may send a signal at once.
  process.stdout.write(`Mnemograph is ready: ${server.url}\n${reached}${guide}`);
}
