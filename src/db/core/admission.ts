import { Busy } from '../../domain/core/errors.ts';

/** On whose behalf a transaction runs: a user, or the server itself (null); in the background, no caller waits for it. */
export type Applicant = { userId: string | null; isBackground: boolean };

/** Decides which transaction may begin next. */
export type Admission = {
  /**
   * Waits for a place.
   * @returns a function that gives the place back
   * @throws Busy when no place becomes free in time, or too many are waiting
   */
  enter(applicant: Applicant): Promise<() => void>;
  /** Whether the applicant would get a place without waiting. */
  hasRoom(applicant: Applicant): boolean;
  /** The number of applicants that are waiting. */
  waiting(): number;
};

export type AdmissionLimits = {
  /** The number of transactions that may run at a time. */
  places: number;
  /** The longest wait for a place, in milliseconds: of a request, and of background work. */
  patience: { request: number; background: number };
  /** The longest queue: of one user, and of all together. */
  queue: { user: number; all: number };
};

/**
 * Places that one user may hold at a time for requests, and again for background work. With two, one can wait for a lock
 * while the other reads.
 */
const PLACES_PER_USER = 2;
/** After this many requests that were preferred to waiting background work, one piece of background work goes first. */
const REQUESTS_BEFORE_BACKGROUND = 4;
/** The longest `Retry-After`, in seconds. */
const MAX_RETRY_AFTER = 30;

type Waiter = { admit(leave: () => void): void };
type Lane = { held: Map<string, number>; waiting: Map<string, Set<Waiter>>; working: number };

/**
 * Admits as many transactions as there are places. The server's own go first, then requests, then background work, which
 * cannot starve. Within each of these, users take turns. No user holds more than two places, nor all of them: a hundred
 * calls of one user, or a lock that they wait for, delay nobody else.
 */
export function createAdmission({ places, patience, queue }: AdmissionLimits): Admission {
  const perUser = Math.max(1, Math.min(PLACES_PER_USER, places - 1));
  const forBackground = Math.max(1, places - Math.ceil(places / 4));
  const [system, requests, background] = [newLane(), newLane(), newLane()];
  let working = 0;
  let waiting = 0;
  let passedOver = 0;
  /** A moving average of the time for which a place is held, in seconds. */
  let averageHold = 0.01;

  const laneOf = ({ userId, isBackground }: Applicant): Lane => {
    if (userId === null) return system;
    return isBackground ? background : requests;
  };
  const mayHold = (lane: Lane, userId: string): boolean => {
    if (lane === system) return true;
    if (lane === background && lane.working >= forBackground) return false;
    return (lane.held.get(userId) ?? 0) < perUser;
  };
  const hasRoom = ({ userId, isBackground }: Applicant): boolean => {
    const [lane, name] = [laneOf({ userId, isBackground }), userId ?? ''];
    return working < places && !lane.waiting.has(name) && mayHold(lane, name);
  };

  const take = (lane: Lane, userId: string): (() => void) => {
    const since = performance.now();
    working += 1;
    lane.working += 1;
    lane.held.set(userId, (lane.held.get(userId) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      averageHold += ((performance.now() - since) / 1000 - averageHold) / 20;
      working -= 1;
      lane.working -= 1;
      const left = (lane.held.get(userId) ?? 1) - 1;
      if (left === 0) lane.held.delete(userId);
      else lane.held.set(userId, left);
      admit();
    };
  };
  /** Admits one applicant of a lane: of the first user who may hold another place. That user then moves to the end. */
  const admitOne = (lane: Lane): boolean => {
    for (const [userId, line] of lane.waiting) {
      if (!mayHold(lane, userId)) continue;
      const [first] = line;
      line.delete(first as Waiter);
      lane.waiting.delete(userId);
      if (line.size > 0) lane.waiting.set(userId, line);
      waiting -= 1;
      (first as Waiter).admit(take(lane, userId));
      return true;
    }
    return false;
  };
  const admitNext = (): boolean => {
    if (admitOne(system)) return true;
    const isBackgroundDue = passedOver >= REQUESTS_BEFORE_BACKGROUND;
    if (isBackgroundDue) passedOver = 0;
    if (isBackgroundDue && admitOne(background)) return true;
    if (!admitOne(requests)) return admitOne(background);
    if (background.waiting.size > 0) passedOver += 1;
    return true;
  };
  const admit = () => {
    while (working < places && waiting > 0 && admitNext());
  };
  /** The time until `before` earlier applicants of the user will have been served, in seconds. */
  const retryAfter = (before: number): number =>
    Math.min(MAX_RETRY_AFTER, Math.max(1, Math.ceil((before * averageHold) / perUser)));

  return {
    hasRoom,
    waiting: () => waiting,
    enter(applicant) {
      const lane = laneOf(applicant);
      const userId = applicant.userId ?? '';
      if (hasRoom(applicant)) return Promise.resolve(take(lane, userId));
      const others = lane.waiting.get(userId);
      const before = others?.size ?? 0;
      if (before >= queue.user || waiting >= queue.all) {
        return Promise.reject(new Busy(retryAfter(before)));
      }
      return new Promise((resolve, reject) => {
        const line = others ?? new Set();
        const tooLate = () => {
          line.delete(waiter);
          if (line.size === 0) lane.waiting.delete(userId);
          waiting -= 1;
          reject(new Busy(retryAfter(line.size)));
        };
        const after = applicant.isBackground ? patience.background : patience.request;
        const timer = setTimeout(tooLate, after);
        const waiter: Waiter = {
          admit: (leave) => {
            clearTimeout(timer);
            resolve(leave);
          },
        };
        line.add(waiter);
        lane.waiting.set(userId, line);
        waiting += 1;
      });
    },
  };
}

const newLane = (): Lane => ({ held: new Map(), waiting: new Map(), working: 0 });
