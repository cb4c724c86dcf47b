import type { GraphQLError } from 'graphql';
import { createGraphQLError } from 'graphql-yoga';
import { AnswerTooLarge, CallerGone, type MemoryError } from '../../domain/core/errors.ts';
import type { AnswerRoom, Place, Reader } from './answer-room.ts';
import { createLane, type Lane } from './lane.ts';

/** What an answer has cost so far, and whether it is still wanted: the fields that make it ask before they begin. */
export type Answer = {
  /** Executes an operation. While it is small, large answers of others give way to it. */
  make<T>(execute: () => Promise<T> | T): Promise<T>;
  /** Begins anew: with an event of a subscription, each of which is an answer. */
  begin(): void;
  /** @throws when nothing more is to be done for it */
  check(): void;
  /** Counts bytes that are shown. @returns what to wait for, when others come first or in between */
  show(bytes: number): Promise<void> | undefined;
  /** Counts bytes that were read to be shown. */
  take(bytes: number): Promise<void> | undefined;
  /** Stores what the caller sent. A lot of it takes the place of a large answer, and gives way to small ones before. */
  write<T>(bytes: number, work: () => Promise<T>): Promise<T>;
  /** Reads from the database, nothing when nothing more is to be done. */
  read: Lane;
  /** Runs the fields at the top one after another: what one brings shows whether the next is to be begun. */
  top: Lane;
  /** Why it was given up; null while it was not. */
  readonly refusal: MemoryError | null;
  /** It is made. @returns whether it has a place, which is as large as it is until it is sent */
  finish(): boolean;
  /** It is sent, or nobody wants it. */
  leave(): void;
};

/** What the transport knows of who asks. */
export type Asker = Reader & { isGone(): boolean };

/** Up to here an answer is small: it waits for nobody. */
const SMALL = 500_000;
/** What making a field costs, whatever it shows, as bytes. */
const FIELD = 100;
/** Others come in between whenever so many more bytes of an answer were made: some 10 ms. */
const SLICE = 100_000;

/**
 * With an error of this name the executor ends the whole answer, and begins nothing more. It is the same for all fields
 * that meet it, and has a path, so that none of them makes another one of it.
 */
const criticalErrorOf = (reason: MemoryError): GraphQLError =>
  createGraphQLError(reason.message, {
    originalError: reason,
    path: [],
    extensions: { CRITICAL_ERROR: true },
  });

/** @param largest most bytes */
export function createAnswer(asker: Asker, room: AnswerRoom, largest: number): Answer {
  let shown = 0;
  let taken = 0;
  let refusal: MemoryError | null = null;
  let isOver = false;
  let place: Place | null = null;
  let entering: Promise<void> | null = null;

  let stopped: GraphQLError | null = null;
  const stop = (reason: MemoryError): never => {
    refusal = reason;
    stopped = criticalErrorOf(reason);
    throw stopped;
  };
  const check = () => {
    if (stopped) throw stopped;
    if (asker.isGone()) stop(new CallerGone());
  };
  const enter = async () => {
    const entered = await room.enter(asker.caller);
    if (isOver) return entered.leave();
    place = entered;
    check();
  };
  let grown: (() => void) | null = null;
  let fields = 0;
  let made = 0;
  let slice: Promise<void> | null = null;
  const breathe = (bytes: number): Promise<void> | undefined => {
    made += bytes + FIELD;
    if (made > SLICE) {
      made = 0;
      grown?.();
      const next = Promise.resolve(slice).then(() => room.giveWay(asker.caller));
      slice = next;
      void next.then(() => {
        if (slice === next) slice = null;
      });
    }
    return slice ?? undefined;
  };
  const weigh = (bytes: number): Promise<void> | undefined => {
    if (stopped) throw stopped;
    if (shown > largest || taken > largest) stop(new AnswerTooLarge(largest));
    if (place || Math.max(shown, taken) + fields * FIELD <= SMALL) return breathe(bytes);
    entering ??= enter();
    // Thousands of fields may wait: they do not all go on in one go.
    return entering.then(() => breathe(bytes));
  };
  const leave = () => {
    isOver = true;
    place?.leave();
    place = null;
    entering = null;
  };

  return {
    async make(execute) {
      grown = room.begin(asker.caller);
      try {
        return await execute();
      } finally {
        grown();
      }
    },
    begin() {
      leave();
      isOver = false;
      shown = 0;
      taken = 0;
      fields = 0;
      refusal = null;
      stopped = null;
    },
    check,
    show(bytes) {
      shown += bytes;
      fields += 1;
      return weigh(bytes);
    },
    take(bytes) {
      taken += bytes;
      return weigh(bytes);
    },
    async write(bytes, work) {
      if (bytes <= SMALL) return work();
      grown?.();
      const own = await room.enter(asker.caller);
      try {
        await room.giveWay(asker.caller);
        check();
        return await work();
      } finally {
        own.leave();
      }
    },
    read: (work) =>
      room.read(asker, () => {
        check();
        return work();
      }),
    top: createLane(1),
    get refusal() {
      return refusal;
    },
    finish() {
      isOver = true;
      place?.shrink(refusal ? 0 : shown);
      return place !== null;
    },
    leave,
  };
}
