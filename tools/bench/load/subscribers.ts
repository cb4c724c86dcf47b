import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** An event as a subscriber sees it. */
type Live = { number: number; kind: string; turns: { text: string }[] };

/** A subscriber to a memory with its own WebSocket. */
export type Subscriber = {
  userId: string;
  /** How many events it received. */
  events: number;
  /** How many events were not the next one: after a missed one, or duplicated. */
  gaps: number;
  /** The number of the last event seen. */
  last: number;
  close(): Promise<void>;
};

const EVENTS = 'subscription { memoryEvents { number kind turns { text } } }';

/**
 * Follows a memory from now on, with a token of its user.
 * @param onTurn called with the text of each remembered turn
 * @returns when the connection is acknowledged, which is as much as a client can know
 */
export async function subscribe(
  url: string,
  { userId, token }: { userId: string; token: string },
  onTurn: (text: string) => void,
): Promise<Subscriber> {
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    // Without keep-alive pings of the client: 1,000 subscribers would be busy with them.
    keepAlive: 0,
  });
  await new Promise<void>((resolve, reject) => {
    client.on('connected', () => resolve());
    client.on('closed', (event) =>
      reject(new Error(`The connection was closed: ${String(event)}`)),
    );
  });
  const subscriber: Subscriber = {
    userId,
    events: 0,
    gaps: 0,
    last: 0,
    close: async () => void (await client.dispose()),
  };
  client.subscribe<{ memoryEvents: Live }>(
    { query: EVENTS },
    {
      next: ({ data, errors }) => {
        if (!data || errors) {
          subscriber.gaps += 1;
          return;
        }
        const { number, kind, turns } = data.memoryEvents;
        if (subscriber.events > 0 && number !== subscriber.last + 1) subscriber.gaps += 1;
        subscriber.events += 1;
        subscriber.last = number;
        if (kind === 'TURNS_REMEMBERED') for (const { text } of turns) onTurn(text);
      },
      error: () => {
        subscriber.gaps += 1;
      },
      complete: () => {},
    },
  );
  return subscriber;
}
