import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../../support/measure.ts';
import { createScratchPlace, type ScratchPlace } from '../../support/scratch-place.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { type SecondUser, startSecondUser } from './second-user.ts';
import { userToken } from './tokens.ts';
import { type Vitals, watchVitals } from './vitals.ts';

export type ArenaOptions = {
  databaseUrl: string | undefined;
  /** Calls of the second user per second. */
  perSecond: number;
  seed: number;
  /** How many starts are measured to know the usual time. */
  starts: number;
};

/** The times of a stop and a start, in seconds. */
export type Restart = { stop: number; ready: number; code: number | null };

/** A server with a second user, on data that outlives the server. */
export type Arena = AsyncDisposable & {
  readonly server: ServerProcess;
  readonly secondUser: SecondUser;
  /** The users whose texts were still pending when the server was stopped. */
  readonly pending: Set<string>;
  /** The median time of a start, in seconds. */
  readonly usualStart: number;
  vitals(): Promise<Vitals>;
  tokenOf(userId: string, expires?: number): Promise<string>;
  /** Stops the server and starts another one on the same data. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<Restart>;
  /** Kills the server and starts another one with new data. */
  renew(): Promise<void>;
};

/** How long the first calls warm the server up, in milliseconds. */
const WARM_UP = 8_000;
const SETTINGS = { LOG_LEVEL: 'fatal' };

export async function openArena(options: ArenaOptions): Promise<Arena> {
  const secret = randomBytes(32).toString('hex');
  const starts: number[] = [];
  let met = 0;
  let place: ScratchPlace;
  let apiKey: string;
  let server: ServerProcess;
  let secondUser: SecondUser;
  let vitals: () => Promise<Vitals>;
  const pending = new Set<string>();

  const start = async (): Promise<number> => {
    const began = performance.now();
    const env = { ...SETTINGS, ...place.env, JWT_SECRET: secret };
    server = await startServerProcess({ env, apiKey });
    return (performance.now() - began) / 1000;
  };
  const meet = async () => {
    met += 1;
    const own = { url: server.url, secret };
    secondUser = startSecondUser(own, options.perSecond, options.seed + met);
    vitals = watchVitals(server);
    await secondUser.talking;
    await delay(WARM_UP);
    await secondUser.firstFactOf(`warm-up ${met}`);
  };
  const stop = () => server[Symbol.asyncDispose]();
  const open = async () => {
    place = await createScratchPlace(options.databaseUrl);
    // An open server lets anybody create the first key.
    await using first = await startServerProcess({ env: { ...SETTINGS, ...place.env } });
    apiKey = first.apiKey;
  };
  const end = async (signal: NodeJS.Signals) => {
    secondUser[Symbol.dispose]();
    server.kill(signal);
    await stop();
  };

  await open();
  for (let left = options.starts; left > 0; left -= 1) {
    starts.push(await start());
    if (left > 1) await stop();
  }
  await meet();
  return {
    get server() {
      return server;
    },
    get secondUser() {
      return secondUser;
    },
    pending,
    usualStart: median(starts),
    vitals: () => vitals(),
    tokenOf: (userId, expires) => userToken(secret, userId, expires),
    async restart(signal) {
      const began = performance.now();
      await end(signal);
      const stop = (performance.now() - began) / 1000;
      const { code } = await server.exited;
      const ready = await start();
      await meet();
      return { stop, ready, code };
    },
    async renew() {
      await end('SIGKILL');
      await place[Symbol.asyncDispose]();
      pending.clear();
      await open();
      await start();
      await meet();
    },
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
      await place[Symbol.asyncDispose]();
    },
  };
}
