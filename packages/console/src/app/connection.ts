import { type Live, MemoryError } from '@mnemograph/client';
import { overWebSocket } from '@mnemograph/client/ws';

/** Whether the server answers, as far as the last request could tell. */
export type Connection = {
  isAway: () => boolean;
  /** Whether something between this page and the server, such as a proxy, lets no WebSocket through. */
  isWithoutSocket: () => boolean;
  subscribe: (changed: () => void) => () => void;
  /** Sends a request, and notes whether somebody answered. */
  fetch: typeof fetch;
  /** Follows subscriptions over one WebSocket, and notes whether it opens. */
  live: Live;
};

/** Answers of a proxy whose server is away. */
const AWAY = new Set([502, 504]);
/** So often in a row a WebSocket does not open, though the server answers, before it is done without. */
const REFUSALS = 2;
/** How long the server may take to answer that, in milliseconds. */
const PATIENCE = 10_000;

/** @param serverUrl the address before `graphql` */
export function createConnection(serverUrl: string): Connection {
  let away = false;
  let refusals = 0;
  const watching = new Set<() => void>();
  const tell = () => {
    for (const changed of watching) changed();
  };
  const note = (isAway: boolean) => {
    if (away === isAway) return;
    away = isAway;
    tell();
  };
  const send: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      note(AWAY.has(response.status));
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) note(true);
      throw error;
    }
  };
  /** Asks over HTTP why a WebSocket did not open. */
  const noteRefusal = async () => {
    const body = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE) };
    const response = await send(`${serverUrl}graphql`, init).catch(() => null);
    if (!response || response.status >= 500) return;
    refusals += 1;
    if (refusals === REFUSALS) tell();
  };
  const socket = overWebSocket();
  return {
    isAway: () => away,
    isWithoutSocket: () => refusals >= REFUSALS,
    subscribe: (changed) => {
      watching.add(changed);
      return () => watching.delete(changed);
    },
    fetch: send,
    async *live(server, opening) {
      let isOpen = false;
      try {
        for await (const result of socket<never>(server, opening)) {
          isOpen = true;
          refusals = 0;
          note(false);
          yield result;
        }
      } catch (error) {
        if (!isOpen && error instanceof MemoryError && error.retryable) await noteRefusal();
        throw error;
      }
    },
  };
}
