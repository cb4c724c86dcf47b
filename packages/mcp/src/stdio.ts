import type { Memory } from '@mnemograph/client';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Ask } from './ask.ts';
import {
  CHANGING,
  changedAmong,
  changesList,
  type Happened,
  PROFILE_URI,
  RECENT_URI,
  THREAD_URI,
  threadUri,
} from './changes.ts';
import { REPEATABLE } from './operations.ts';
import { createMemoryServer, type MemoryServerOptions } from './server.ts';

/** Sends what the tools ask through a client of the graph. */
const askThrough =
  ({ request }: Memory): Ask =>
  (operation, variables) => {
    const isRepeatable = REPEATABLE.has(operation) || undefined;
    return request(String(operation), variables as Record<string, unknown>, {
      isRepeatable,
    }) as Promise<never>;
  };

export type StdioOptions = Omit<MemoryServerOptions, 'ask' | 'announces'> & {
  /** A client of the running server. */
  memory: Memory;
};

/** Serves a memory over standard input and output, until the host closes them or the signal is aborted. */
export async function serveOverStdio(
  { memory, ...options }: StdioOptions,
  signal?: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  let announce: ((happened: Happened) => void) | undefined;
  const handle = serveStdio(({ era }) => {
    const server = createMemoryServer({ ...options, ask: askThrough(memory), announces: true });
    announce = announcing(server, era);
    return server;
  });
  const own = options.userId === undefined ? memory : memory.as(options.userId);
  const following = (async () => {
    for await (const event of own.events({ kinds: CHANGING, signal: end.signal }))
      announce?.(event);
  })();
  // A memory that cannot be followed is served all the same, without announcements.
  following.catch((error) => process.stderr.write(`Changes cannot be followed: ${error}\n`));
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve);
    process.stdin.once('end', resolve);
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  end.abort();
  await handle.close();
}

/**
 * Tells a host which resources have changed. A host of 2025 subscribes to each by a request. Of one of 2026 the library
 * knows to what it listens, and leaves out the rest; of a thread that was forgotten only the reader can tell.
 */
function announcing(server: McpServer, era: 'legacy' | 'modern'): (happened: Happened) => void {
  const wanted = new Set<string>();
  const { server: protocol } = server;
  if (era === 'legacy') {
    protocol.setRequestHandler('resources/subscribe', ({ params }) => {
      wanted.add(params.uri);
      return {};
    });
    protocol.setRequestHandler('resources/unsubscribe', ({ params }) => {
      wanted.delete(params.uri);
      return {};
    });
  }
  return (happened) => {
    const id = happened.thread?.id;
    const all = [PROFILE_URI, RECENT_URI, ...(id ? [threadUri(id), THREAD_URI + id] : [])];
    const sent = [...changedAmong(era === 'legacy' ? wanted : new Set(all), happened)].map((uri) =>
      protocol.sendResourceUpdated({ uri }),
    );
    if (changesList(happened)) sent.push(protocol.sendResourceListChanged());
    // The host has gone: the connection ends by itself.
    for (const each of sent) each.catch(() => undefined);
  };
}
