import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { lastEventOf } from '../../src/cli/support/memory-client.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** Follows the events of a user as an application does: after a disconnection it resumes after its last cursor. */
export type Subscriber = AsyncDisposable & {
  /** The numbers of the events seen so far. */
  numbers: number[];
  /** The codes and reasons with which the server closed connections. */
  closes: { code: number; reason: string }[];
};

const EVENTS = `subscription ($userId: String!, $after: String) {
  memoryEvents(userId: $userId, after: $after) { number cursor } }`;
type Live = { memoryEvents: { number: number; cursor: string } | null };

/** @param serverOf returns the server for the next connection */
export function subscribe(
  serverOf: () => Pick<ServerProcess, 'url' | 'apiKey'>,
  userId: string,
): Subscriber {
  const numbers: number[] = [];
  const closes: Subscriber['closes'] = [];
  let after = Buffer.from(`event:0:${userId}`).toString('base64url');
  let over = false;
  const client = createClient({
    url: () => serverOf().url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: () => ({ authorization: `Bearer ${serverOf().apiKey}` }),
    retryAttempts: 0,
    on: { closed: (event) => closes.push(event as { code: number; reason: string }) },
  });
  const follow = async () => {
    while (!over) {
      try {
        const events = client.iterate<Live>({ query: EVENTS, variables: { userId, after } });
        for await (const { data } of events) {
          if (!data?.memoryEvents) break;
          numbers.push(data.memoryEvents.number);
          after = data.memoryEvents.cursor;
        }
      } catch {
        // The server was killed or is not up yet, which this tests.
      }
      await delay(50);
    }
  };
  const following = follow();
  return {
    numbers,
    closes,
    async [Symbol.asyncDispose]() {
      over = true;
      await client.dispose();
      await following;
    },
  };
}

/** Waits until the subscriber has received all events. @returns a line if one is missing or duplicated */
export async function checkSeen(
  { numbers }: Subscriber,
  server: Pick<ServerProcess, 'request'>,
  userId: string,
): Promise<string[]> {
  const last = await lastEventOf(server, userId);
  const deadline = performance.now() + 15_000;
  while ((numbers.at(-1) ?? 0) < last && performance.now() < deadline) await delay(50);
  const unbroken = numbers.every((number, index) => number === index + 1);
  if (unbroken && numbers.length >= last) return [];
  return [
    `of ${last} events of ${userId} a subscriber saw ${numbers.length}, ${unbroken ? 'without a gap' : 'with gaps or doubled'}`,
  ];
}
