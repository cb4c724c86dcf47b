import type { Memory } from '@mnemograph/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Ask } from './ask.ts';
import { createMemoryServer, type MemoryServerOptions } from './server.ts';

/** Sends what the tools ask through a client of the graph. */
const askThrough =
  (request: Memory['request']): Ask =>
  (operation, variables) =>
    request(String(operation), variables as Record<string, unknown>) as Promise<never>;

export type StdioOptions = Omit<MemoryServerOptions, 'ask'> & {
  /** Sends an operation to the running server, as the client does. */
  request: Memory['request'];
};

/** Serves a memory over standard input and output, until the host closes them. */
export function serveOverStdio({ request, ...options }: StdioOptions): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('close', resolve);
    process.stdin.once('end', resolve);
    serveStdio(() => createMemoryServer({ ...options, ask: askThrough(request) }));
  });
}
