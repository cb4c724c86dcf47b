import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory, type Memory } from '@mnemograph/client';
import { MEMORY_SETTINGS, NODE_OPTIONS } from '../../src/cli/node-options.ts';
import {
  createGraphQLClient,
  type GraphQLClient,
} from '../../src/cli/support/graphql-over-http.ts';
import { builtFile } from './built-file.ts';
import { createScratchDatabase } from './scratch-database.ts';

export type ServerProcessOptions = {
  /** Settings of the server. It does not inherit the environment of this process. */
  env?: Record<string, string>;
  /**
   * A PostgreSQL server on which to create a database, which is dropped on dispose. Without it the server runs embedded. To use
   * an existing database, set `env.DATABASE_URL`.
   */
  databaseUrl?: string | undefined;
  /** The folder of the embedded database, like `env.DATA_DIR`. By default a temporary one, removed on dispose. */
  dataDir?: string;
  /** An API key of this database. Without it the server must still be open, and a key is created. */
  apiKey?: string;
  /** Options of Node.js, such as --cpu-prof. */
  nodeOptions?: string[];
  /** Kills the process (SIGKILL), also while it starts. */
  abort?: AbortSignal;
};

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A server in a process of its own, and two clients that act for any user: one costs little time, the other tries again. */
export type ServerProcess = AsyncDisposable &
  Pick<GraphQLClient, 'request'> & {
    url: string;
    /** Waits while the server is busy, and gives up when it has ended. */
    memory: Memory;
    pid: number;
    apiKey: string;
    /** The URL of its database; null if embedded. */
    databaseUrl: string | null;
    /** The folder of its embedded database. */
    dataDir: string;
    kill(signal?: NodeJS.Signals): void;
    exited: Promise<Exit>;
  };

/** Migrating an embedded database takes some 5 s, and several times that on a busy machine. */
const START_WITHIN = 120_000;
const STOP_WITHIN = 15_000;
const PATIENT = { retries: 1_000, timeout: 60_000 };

/**
 * Starts the server and waits until it is ready. Disposing stops it and removes the data that was created for it.
 * @throws with the output of the server if it does not start
 */
export async function startServerProcess(
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const cleanUps: (() => PromiseLike<void>)[] = [];
  const dispose = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    let databaseUrl = options.env?.DATABASE_URL ?? null;
    if (options.databaseUrl) {
      const scratch = await createScratchDatabase(options.databaseUrl);
      cleanUps.push(() => scratch[Symbol.asyncDispose]());
      databaseUrl = scratch.url;
    }
    const given = options.dataDir ?? options.env?.DATA_DIR;
    const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'mnemograph-')));
    if (!given) cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));

    const child = spawnServer(options, databaseUrl, dataDir);
    const abandon = () => child.kill('SIGKILL');
    process.once('exit', abandon);
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => {
        process.off('exit', abandon);
        resolve({ code, signal });
      });
    });
    cleanUps.push(() => stop(child, exited));

    const url = await ready(child, exited);
    const apiKey = options.apiKey ?? (await makeKey(url));
    const client = createGraphQLClient(url, apiKey);
    cleanUps.push(async () => client[Symbol.dispose]());
    const over = new AbortController();
    void exited.then(() => over.abort(new Error('The server has ended.')));
    return {
      url,
      pid: child.pid as number,
      apiKey,
      databaseUrl,
      dataDir,
      request: client.request,
      memory: createMemory({ url, apiKey, ...PATIENT, signal: over.signal }),
      kill: (signal = 'SIGTERM') => void child.kill(signal),
      exited,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function spawnServer(options: ServerProcessOptions, databaseUrl: string | null, dataDir: string) {
  const main = builtFile('main');
  return spawn(process.execPath, [...NODE_OPTIONS, ...(options.nodeOptions ?? []), main], {
    env: {
      ...MEMORY_SETTINGS,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      // No rate limit: these commands send as much by one key as the server can take.
      RATE_LIMIT_KEY: '0',
      ...options.env,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(options.abort ? { signal: options.abort } : {}),
  });
}

/** Resolves with the URL of the ready line. Passes on what the process writes to stderr later. */
function ready(child: ChildProcess, exited: Promise<Exit>): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let problems = '';
    let up = false;
    const fail = (what: string) => reject(new Error(`The server ${what}.\n${out}${problems}`));
    const timer = setTimeout(() => fail(`was not ready in ${START_WITHIN / 1000} s`), START_WITHIN);
    child.stderr?.on('data', (chunk: Buffer) => {
      if (up) process.stderr.write(chunk);
      else problems += chunk;
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      if (up) return;
      out += chunk;
      const url = /ready: (http\S+)\n/.exec(out)?.[1];
      if (!url) return;
      up = true;
      clearTimeout(timer);
      resolve(url);
    });
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    void exited.then(({ code, signal }) => {
      clearTimeout(timer);
      fail(`ended with ${signal ?? `code ${code}`} before it was ready`);
    });
  });
}

async function makeKey(url: string): Promise<string> {
  using open = createGraphQLClient(url, null);
  const { createApiKey } = await open.request<{ createApiKey: { secret?: string } }>(
    'mutation { createApiKey(name: "command") { ... on CreatedApiKey { secret } } }',
  );
  if (!createApiKey.secret) throw new Error('The server created no API key.');
  return createApiKey.secret;
}

async function stop(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  if (child.pid === undefined) return;
  // A second SIGTERM would end it at once.
  if (!child.killed) child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN);
  await exited;
  clearTimeout(force);
}
