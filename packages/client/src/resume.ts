import type { PlaceQueryVariables } from './generated/graphql.ts';
import { memoryIn, nodesOf, ownerOf } from './pages.ts';
import { PLACE } from './subscriptions.ts';
import type { Operation, Transport } from './transport.ts';
import type { CallOptions } from './waiting.ts';

/** Where a stream begins, and how it is ended. */
export type FollowOptions = {
  /** The cursor that an earlier stream had; without it, the stream begins with the next event. */
  after?: string | null | undefined;
  /** Without a cursor: begin with the first event that the server has kept, instead of the next one. */
  fromStart?: boolean | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
};

/** A stream that goes on over lost connections by itself, and in another process from its cursor. */
export type Followed<Item> = AsyncGenerator<Item> & {
  /**
   * The place behind all items that were handed out: store it when they are dealt with, and give it as `after` to go on
   * there. Undefined while the memory has no events.
   */
  readonly cursor: string | undefined;
};

/** A subscription that begins at a place in the event log, and the cursor that each of its items may have. */
type Subscription<Data, Item> = FollowOptions & {
  document: Operation<Data, unknown>['document'];
  variables?: object;
  itemOf(data: Data): Item;
};

/** Follows a subscription: what is in the event log comes once and in order, over restarts of the server. @throws MemoryError */
export function followLog<Data, Item extends { cursor?: string | null; number?: number }>(
  transport: Transport,
  userId: string | undefined,
  { document, variables, itemOf, after, fromStart, signal }: Subscription<Data, Item>,
): Followed<Item> {
  let cursor = after ?? undefined;
  /** The last event's, so that none comes twice whatever the server sends. */
  let number = 0;

  async function* items() {
    // Without a cursor, a connection that is lost before its first event could not be resumed.
    if (cursor === undefined && !fromStart) {
      cursor = await newestOf(transport, userId, { signal }).catch((error) => {
        if (!(signal ?? transport.signal)?.aborted) throw error;
        return undefined;
      });
    }
    yield* transport.follow(async function* connect() {
      // Without a cursor the memory was empty, so that all it holds by now has happened since.
      const place = { userId, after: cursor, fromStart: cursor === undefined };
      const operation = { document, variables: { ...variables, ...place } };
      for await (const data of transport.open(operation, signal)) {
        const item = data && itemOf(data);
        if (item?.number !== undefined) {
          if (item.number <= number) continue;
          number = item.number;
        }
        cursor = item?.cursor ?? cursor;
        yield item;
      }
    }, signal);
  }

  return Object.defineProperty(items(), 'cursor', { get: () => cursor }) as Followed<Item>;
}

/** The cursor of a memory's newest event; undefined while it has no events. @throws MemoryError */
export async function newestOf(
  transport: Transport,
  userId: string | undefined,
  call?: CallOptions,
): Promise<string | undefined> {
  const variables: PlaceQueryVariables = ownerOf(userId);
  const data = await transport.request({ document: PLACE, variables }, call);
  return nodesOf(memoryIn(data)?.events)[0]?.cursor;
}
