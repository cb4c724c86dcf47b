import type { GraphQLError } from 'graphql';
import { createGraphQLError } from 'graphql-yoga';
import { AnswerTooLarge, CallerGone, type MemoryError } from '../../domain/core/errors.ts';
import type { AnswerRoom, Place, Reader } from './answer-room.ts';
import { createLimiter, type Limiter } from './limiter.ts';

/** The size of an answer so far, and whether it is still wanted. Every field checks this before it starts. */
export type Answer = {
  /** Executes an operation. While its answer is small, large answers of other callers give way to it. */
  make<T>(execute: () => Promise<T> | T): Promise<T>;
  /** Resets all counts. Called for each event of a subscription, since each event is an answer of its own. */
  begin(): void;
  /** @throws if the answer was refused, or if the caller has left */
  check(): void;
  /** Counts bytes of the answer. @returns what to wait for if other answers go first, else undefined */
  show(bytes: number): Promise<void> | undefined;
  /** Counts bytes that were read from the database for the answer. @returns the same as `show` */
  take(bytes: number): Promise<void> | undefined;
  /** Runs a write of `bytes` bytes of input. A large one needs a reservation like a large answer, and gives way to small answers first. */
  write<T>(bytes: number, work: () => Promise<T>): Promise<T>;
  /** Runs a database read within the caller's limit. Throws instead if `check` does. */
  read: Limiter;
  /** Runs the top fields of a query one after another: the size of one decides whether the next may start. */
  top: Limiter;
  /** Why the answer was refused; null if it was not. */
  readonly refusal: MemoryError | null;
  /** Marks the answer as computed, and shrinks its reservation to its size. @returns whether it has one, which `leave` releases */
  finish(): boolean;
  /** Releases the reservation, after the answer was sent or abandoned. */
  leave(): void;
};

/** The caller of an operation, as the transport knows it. */
export type Asker = Reader & { isGone(): boolean };

/** Answers up to this many bytes are small: they need no reservation. */
const SMALL = 500_000;
/** The same of writes. A megabyte of turns takes about 0.5 s of this process. */
const SMALL_WRITE = 100_000;
/** What a field costs to produce, whatever it shows, in bytes. */
const FIELD = 100;
/** After this many bytes, about 10 ms of work, an answer gives way to small ones. */
const SLICE = 100_000;

/**
 * The executor ends the whole answer on an error with this extension, and starts no further field. All fields throw the
 * same error, and it has a path, so that no field wraps it in an error of its own.
 */
const criticalErrorOf = (reason: MemoryError): GraphQLError =>
  createGraphQLError(reason.message, {
    originalError: reason,
    path: [],
    extensions: { CRITICAL_ERROR: true },
  });

/** @param largest the largest size of an answer, in bytes */
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
  let endSmall: (() => void) | null = null;
  let fields = 0;
  let sinceSlice = 0;
  let slice: Promise<void> | null = null;
  const giveWay = (bytes: number): Promise<void> | undefined => {
    sinceSlice += bytes + FIELD;
    if (sinceSlice > SLICE) {
      sinceSlice = 0;
      endSmall?.();
      const next = Promise.resolve(slice).then(() => room.giveWay(asker.caller));
      slice = next;
      void next.then(() => {
        if (slice === next) slice = null;
      });
    }
    return slice ?? undefined;
  };
  const limit = (bytes: number): Promise<void> | undefined => {
    if (stopped) throw stopped;
    if (shown > largest || taken > largest) stop(new AnswerTooLarge(largest));
    if (place || Math.max(shown, taken) + fields * FIELD <= SMALL) return giveWay(bytes);
    entering ??= enter();
    // Thousands of fields may be waiting: they must not all continue at once.
    return entering.then(() => giveWay(bytes));
  };
  const leave = () => {
    isOver = true;
    place?.leave();
    place = null;
    entering = null;
  };

  return {
    async make(execute) {
      endSmall = room.begin(asker.caller);
      try {
        return await execute();
      } finally {
        endSmall();
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
      return limit(bytes);
    },
    take(bytes) {
      taken += bytes;
      return limit(bytes);
    },
    async write(bytes, work) {
      if (bytes <= SMALL_WRITE) return work();
      endSmall?.();
      // An earlier field of the answer may hold the only reservation that the caller can have: it serves the write, too.
      await entering;
      const reservation = entering ? null : await room.enter(asker.caller);
      try {
        await room.giveWay(asker.caller);
        check();
        return await work();
      } finally {
        reservation?.leave();
      }
    },
    read: (work) =>
      room.read(asker, () => {
        check();
        return work();
      }),
    top: createLimiter(1),
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
