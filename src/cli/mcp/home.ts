import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { DataFolderLocked, type Holder, holderOf } from '../../db/embedded/folder-lock.ts';
import type { Server } from '../../http/server.ts';
import { CommandFailed } from '../support/run-command.ts';

/** The server of a data folder, in whatever process it is. */
export type Home = AsyncDisposable & {
  /** Where it is; waits while it starts, and starts it in this process when there is none. @throws CommandFailed */
  address(): Promise<string>;
  /** Says that nothing answers there any more: the next call of `address` looks again. */
  lost(address: string): void;
};

/** How long the process that has the folder may take until it says where its server is, in milliseconds. */
const PATIENCE = 120_000;
const LOOK_EVERY = 100;

/**
 * Finds the server of the data folder by its lock, or starts one in this process. Of several processes that look at once one
 * starts it; when that one ends, another takes over.
 */
export function createHome(config: Config): Home {
  let started: Server | undefined;
  let found: Promise<string> | undefined;
  let last = '';

  const find = async () => {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const holder = await holderIn(config);
      if (!holder) started = await startOwn(config);
      const address = holder ? holder.url : started?.url;
      if (address) return address;
      if (Date.now() > deadline) throw new CommandFailed(silent(config));
      await delay(LOOK_EVERY);
    }
  };

  return {
    async address() {
      found ??= find();
      const current = found;
      try {
        last = await current;
        return last;
      } catch (error) {
        if (found === current) found = undefined;
        throw error;
      }
    },
    lost(address) {
      if (address === last && address !== started?.url) found = undefined;
    },
    async [Symbol.asyncDispose]() {
      await found?.catch(() => undefined);
      await started?.[Symbol.asyncDispose]();
    },
  };
}

/** Who has the data folder; null if nobody has, or if there is none. @throws CommandFailed if it is in use on another machine */
async function holderIn({ database: { url, folder } }: Config): Promise<Holder | null> {
  const holder = url === null && folder !== null ? await holderOf(folder) : null;
  if (!holder?.host || holder.host === hostname()) return holder;
  throw new CommandFailed(
    `The data folder is in use on ${holder.host}: give the address of that server by --url.`,
  );
}

/** Starts a server on a port of this machine that is free; undefined if another process was faster. */
async function startOwn(config: Config): Promise<Server | undefined> {
  const here = { ...config, server: { ...config.server, host: '127.0.0.1', port: 0 } };
  // The server itself is loaded only where it runs: most of these processes find one.
  const [{ createApp }, { serveApp }] = await Promise.all([
    import('../../app.ts'),
    import('../../serve-app.ts'),
  ]);
  try {
    return await serveApp(await createApp(here, { isServer: true }));
  } catch (error) {
    if (error instanceof DataFolderLocked) return undefined;
    throw error;
  }
}

const silent = ({ database: { folder } }: Config) =>
  `The process that uses the data folder ${folder} does not say where its server is.`;
