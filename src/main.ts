import { type App, createApp } from './app.ts';
import { loadConfig } from './config/config.ts';
import { InvalidEnvironment } from './config/read-env.ts';
import { DataFolderLocked } from './db/embedded/folder-lock.ts';
import { DatabaseUnavailable, InvalidSetting } from './domain/core/errors.ts';
import { startServer } from './http/server.ts';
import { startWorker } from './jobs/worker.ts';

/** Whoever starts the server can do something about them: the message is enough. */
const EXPECTED = [InvalidEnvironment, InvalidSetting, DataFolderLocked, DatabaseUnavailable];

/** How long a stop may take, in milliseconds. */
const STOP_WITHIN = 9_000;

try {
  const config = loadConfig();
  if (!config.auth.openWithoutKeys && !config.auth.secret && !config.auth.jwksUrl) {
    process.stderr.write(
      `${config.server.publicUrl ? `Reached at ${config.server.publicUrl}` : `Listening on ${config.server.host}`}: ` +
        'everybody needs credentials. Make an API key with "npm run keys -- create ' +
        `NAME"${config.database.url === null ? ' while the server is stopped' : ''}, or set JWT_SECRET or ` +
        'JWT_JWKS_URL.\n',
    );
  }
  await serve(await createApp(config, { isServer: true }));
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

async function serve(ctx: App): Promise<void> {
  await ctx.warm();
  const worker = ctx.config.workers > 0 ? await startWorker(ctx) : null;
  const server = await startServer(ctx);
  const stop = async () => {
    // A second signal: somebody is in a hurry.
    if (ctx.stopping.signal.aborted) process.exit(1);
    ctx.stopping.abort();
    setTimeout(() => process.exit(1), STOP_WITHIN).unref();
    // At the same time: no step is begun, and none that is under way keeps its lease.
    await Promise.all([server[Symbol.asyncDispose](), worker?.[Symbol.asyncDispose]()]);
    await ctx[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Last: whoever waits for it may stop the server at once.
  const { publicUrl } = ctx.config.server;
  process.stdout.write(`Mnemograph is ready: ${server.url}\n`);
  if (publicUrl) process.stdout.write(`Clients reach it at ${graphOf(publicUrl)}\n`);
}

const graphOf = (address: string) => `${address.replace(/\/$/, '')}/graphql`;

function describe(error: unknown): string {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind))
    return error.message;
  const { message, code } = error as { message?: string; code?: string };
  if (code === 'EADDRINUSE') return 'The port is taken. Set PORT to another one.';
  if (code === 'ECONNREFUSED') return 'The database of DATABASE_URL does not answer.';
  return error instanceof Error ? (error.stack ?? message ?? '') : String(error);
}
