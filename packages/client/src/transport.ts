import { isQuery, type TypedDocument, textOf } from './documents.ts';
import { follow } from './follow.ts';
import { createServer, dataOf, type MemoryOptions } from './server.ts';
import { overEvents } from './stream.ts';
import { type CallOptions, pause, waitAfter, within } from './waiting.ts';

/** An operation, and whether it may be sent again although an answer to it may have been lost. */
export type Operation<Data, Variables> = {
  document: TypedDocument<Data, Variables> | string;
  variables: Variables;
  /** By default only queries are. */
  isRepeatable?: boolean | undefined;
};

/** Sends operations to one server. */
export type Transport = {
  /** Gives up all that has no signal of its own. */
  signal: AbortSignal | undefined;
  /** @throws MemoryError */
  request<Data, Variables>(
    operation: Operation<Data, Variables>,
    call?: CallOptions,
  ): Promise<Data>;
  /** The results of a subscription over one connection; null when the server has accepted it. @throws MemoryError */
  open<Data, Variables>(
    operation: Operation<Data, Variables>,
    signal?: AbortSignal,
  ): AsyncGenerator<Data | null>;
  /**
   * Opens a stream again whenever it ends, as long as the server may come back. Until it was open once, it gives up after
   * as many attempts as a call has. Ends when the signal is aborted. @throws MemoryError
   */
  follow<T>(open: () => AsyncGenerator<T | null>, signal?: AbortSignal): AsyncGenerator<T>;
  /**
   * Downloads what is at the path that an operation answers with. Each attempt asks for a path of its own: one that was sent may be
   * used up although its answer was lost. The signal also ends the body. @throws MemoryError
   */
  download<Data, Variables>(
    operation: Operation<Data, Variables>,
    pathOf: (data: Data) => string,
    call?: CallOptions,
  ): Promise<Downloaded>;
};

/** The answer to a download, whose body may still be on its way. */
type Downloaded = { headers: Headers; body: ReadableStream<Uint8Array> | null };

const RETRIES = 4;
const TIMEOUT = 30_000;

export function createTransport(options: MemoryOptions): Transport {
  const { retries = RETRIES, timeout = TIMEOUT, live = overEvents } = options;
  const server = createServer(options);
  const bodyOf = <Data, Variables>({ document, variables }: Operation<Data, Variables>) =>
    JSON.stringify({ query: textOf(document, options.print), variables });

  const send = async <Data>(body: string, signal: AbortSignal): Promise<Data> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const init = { method: 'POST', headers, body } as const;
    return dataOf(await server.fetch('/graphql', init, signal), signal);
  };

  /** Tries until it succeeds, cannot succeed, or would succeed too late. */
  async function patiently<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    isRepeatable: boolean,
    call: CallOptions = {},
  ): Promise<T> {
    const limits = { timeout: call.timeout ?? timeout, signal: call.signal ?? options.signal };
    const deadline = Date.now() + limits.timeout;
    const patience = { retries, deadline, isRepeatable, canRenew: server.canRenew };
    return within(limits, async (signal) => {
      for (const so = { count: 0, hasRenewed: false }; ; so.count += 1) {
        try {
          return await attempt(signal);
        } catch (error) {
          const wait = waitAfter(error, so, patience);
          if (wait === null) throw error;
          await pause(wait, signal);
        }
      }
    });
  }

  return {
    signal: options.signal,
    async request(operation, call) {
      const body = bodyOf(operation);
      const { document, isRepeatable = isQuery(textOf(document, options.print)) } = operation;
      return patiently((signal) => send(body, signal), isRepeatable, call);
    },
    open: <Data, Variables>(
      { document, variables }: Operation<Data, Variables>,
      signal = options.signal,
    ) => live<Data>(server, { query: textOf(document, options.print), variables, timeout, signal }),
    follow: (open, signal = options.signal) =>
      follow(open, { retries, signal, canRenew: server.canRenew }),
    async download(operation, pathOf, call) {
      const body = bodyOf(operation);
      const attempt = async (signal: AbortSignal) => {
        const path = pathOf(await send(body, signal));
        const headers = { 'x-requested-with': 'mnemograph' };
        const response = await server.fetch(path, { method: 'GET', headers }, signal);
        if (!response.ok) await dataOf(response, signal);
        return response;
      };
      const { headers, body: bytes } = await patiently(attempt, true, call);
      const signal = call?.signal ?? options.signal;
      // The attempt is over, and with it what it has to do with the signal.
      const ending = signal && bytes?.pipeThrough(new TransformStream(), { signal });
      return { headers, body: ending ?? bytes };
    },
  };
}
