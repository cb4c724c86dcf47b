import { createParser } from 'eventsource-parser';
import { MemoryError } from './errors.ts';
import type { Opening } from './live.ts';
import { dataOf, resultOf, type Server, unreachable } from './server.ts';

/** The server sends at least a comment every 12 seconds: a connection that is silent for longer than this is dead. */
const SILENCE = 40_000;

/** Follows a subscription by server-sent events. @throws MemoryError */
export async function* overEvents<Data>(
  server: Server,
  { timeout, signal, ...operation }: Opening,
): AsyncGenerator<Data | null> {
  const body = JSON.stringify(operation);
  const own = new AbortController();
  const give = () => own.abort(signal?.reason);
  if (signal?.aborted) give();
  signal?.addEventListener('abort', give, { once: true });
  try {
    const response = await soon(own, timeout, () =>
      server.fetch('/graphql', { method: 'POST', headers: HEADERS, body }, own.signal),
    );
    if (!response.body || !response.headers.get('content-type')?.startsWith(EVENTS)) {
      yield await dataOf<Data>(response, own.signal);
      return;
    }
    if (response.ok) yield null;
    yield* read<Data>(response, response.body.getReader(), own);
  } finally {
    signal?.removeEventListener('abort', give);
    own.abort();
  }
}

const EVENTS = 'text/event-stream';
const HEADERS = { 'content-type': 'application/json', accept: EVENTS };

async function* read<Data>(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  own: AbortController,
): AsyncGenerator<Data> {
  const found: string[] = [];
  let isComplete = false;
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'complete') isComplete = true;
      else found.push(data);
    },
  });
  const decoder = new TextDecoder();
  while (!isComplete) {
    const { done, value } = await soon(own, SILENCE, () => reader.read()).catch((cause) => {
      throw unreachable(cause, own.signal);
    });
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
    for (const data of found.splice(0)) yield resultOf<Data>(JSON.parse(data), response);
  }
}

/** Runs work, and aborts it when it takes too long. */
async function soon<T>(own: AbortController, most: number, work: () => Promise<T>): Promise<T> {
  const late = new MemoryError('TIMEOUT', `The server was silent for ${most} ms.`, {
    retryable: true,
  });
  const timer = setTimeout(() => own.abort(late), most);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
