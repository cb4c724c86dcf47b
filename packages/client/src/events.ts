import type { EventFragment, EventKind, PastEventsQueryVariables } from './generated/graphql.ts';
import { EVENTS, PAST_EVENTS } from './operations.ts';
import { nodesOf, type Owner, ownerOf, pagesOf } from './pages.ts';
import type { Transport } from './transport.ts';

/** Something that happened in a memory, with its cursor. */
export type MemoryEvent = EventFragment;

/** Which events to follow, and from where. */
export type EventsOptions = {
  /** The cursor of the last event that was seen; without it, the stream begins with the next event. */
  after?: string | null | undefined;
  /** Only these kinds; all kinds by default. */
  kinds?: readonly EventKind[] | undefined;
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
};

/** In a page of past events. Each may bring the turns that it is about. */
const PAGE = 20;

/** Follows the events of a memory, each once and in order, over restarts of the server. @throws MemoryError */
export async function* followEvents(
  transport: Transport,
  userId: string | undefined,
  { after, kinds, signal }: EventsOptions,
): AsyncGenerator<MemoryEvent> {
  const owner = ownerOf(userId);
  const past = async (place: Omit<PastEventsQueryVariables, keyof Owner>) => {
    const variables = { ...owner, ...place };
    const data = await transport.request({ document: PAST_EVENTS, variables }, { signal });
    return (data.user ?? data.viewer)?.events;
  };

  // Without a cursor, a connection that is lost before its first event could not be resumed.
  let cursor = after ?? nodesOf(await past({ last: 1 }))[0]?.cursor;
  let number = 0;
  const unseen = async function* unseen(events: AsyncIterable<MemoryEvent> | MemoryEvent[]) {
    for await (const event of events) {
      if (event.number <= number) continue;
      ({ cursor, number } = event);
      if (kinds?.includes(event.kind) ?? true) yield event;
    }
  };

  yield* transport.follow(async function* connect() {
    const isFromStart = cursor === undefined;
    const variables = { userId, after: cursor, kinds: kinds && [...kinds] };
    for await (const result of transport.open({ document: EVENTS, variables }, signal)) {
      if (result !== null) yield* unseen([result.memoryEvents]);
      else yield null;
      // The memory was empty: all that it holds by now has happened since.
      if (result === null && isFromStart) {
        yield* unseen(pagesOf((end) => past({ first: PAGE, after: end })));
      }
    }
  }, signal);
}
