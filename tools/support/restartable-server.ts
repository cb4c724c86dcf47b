import { patiently } from './patiently.ts';
import { createScratchPlace } from './scratch-place.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** Where the data of a server is that is killed and started again: a database or a folder of its own, removed on dispose. */
export type ServerPlace = AsyncDisposable & {
  /** Ends the last one. Its requests are repeated while it says that it is busy. Disposing the place ends it, too. */
  start(): Promise<ServerProcess>;
  /** Starts a server and kills it so many milliseconds later, ready or not. */
  killWhileStarting(after: number): Promise<void>;
};

/** @param databaseUrl PostgreSQL server to make a database on; without it the server runs embedded */
export async function makeServerPlace(databaseUrl: string | undefined): Promise<ServerPlace> {
  const place = await createScratchPlace(databaseUrl);
  let apiKey: string | undefined;
  let last: ServerProcess | undefined;
  const start = (abort?: AbortSignal) =>
    startServerProcess({
      env: place.env,
      ...(apiKey ? { apiKey } : {}),
      ...(abort ? { abort } : {}),
    });
  return {
    async start() {
      await last?.[Symbol.asyncDispose]();
      last = await start();
      apiKey = last.apiKey;
      const { request } = last;
      return {
        ...last,
        request: <Data>(query: string, variables?: Record<string, unknown>) =>
          patiently(() => request<Data>(query, variables)),
      };
    },
    async killWhileStarting(after) {
      const abort = AbortSignal.timeout(Math.ceil(after));
      try {
        const server = await start(abort);
        apiKey = server.apiKey;
        server.kill('SIGKILL');
        await server[Symbol.asyncDispose]();
      } catch (error) {
        // That it was killed before it was ready is what was wanted.
        if (!abort.aborted) throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await last?.[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}
