import { createScratchPlace } from './scratch-place.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

/** The data of a server that is killed and started again: a database or a folder of its own, removed on dispose. */
export type ServerPlace = AsyncDisposable & {
  /** Ends the previous server and starts another. Its requests wait while it is busy. Disposing the place ends it too. */
  start(): Promise<ServerProcess>;
  /** Starts a server and kills it `after` milliseconds later, ready or not. */
  killWhileStarting(after: number): Promise<void>;
};

/**
 * Creates the place.
 * @param databaseUrl PostgreSQL server on which to create a database; without it the server runs embedded
 * @param settings of the servers there
 */
export async function makeServerPlace(
  databaseUrl: string | undefined,
  settings: Record<string, string> = {},
): Promise<ServerPlace> {
  const place = await createScratchPlace(databaseUrl);
  let apiKey: string | undefined;
  let last: ServerProcess | undefined;
  const start = (abort?: AbortSignal) =>
    startServerProcess({
      env: { ...settings, ...place.env },
      ...(apiKey ? { apiKey } : {}),
      ...(abort ? { abort } : {}),
    });
  return {
    async start() {
      await last?.[Symbol.asyncDispose]();
      last = await start();
      apiKey = last.apiKey;
      return { ...last, request: last.memory.request };
    },
    async killWhileStarting(after) {
      const abort = AbortSignal.timeout(Math.ceil(after));
      try {
        const server = await start(abort);
        apiKey = server.apiKey;
        server.kill('SIGKILL');
        await server[Symbol.asyncDispose]();
      } catch (error) {
        // The server was meant to be killed before it was ready.
        if (!abort.aborted) throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await last?.[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}
