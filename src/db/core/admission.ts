import { Busy } from '../../domain/core/errors.ts';

/** Who wants to work in the database: a user, or the server itself (null); and whether a caller waits for it. */
export type Applicant = { userId: string | null; isBackground: boolean };

/** Says who works in the database next. */
export type Admission = {
  /**
   * Waits for a place; the result gives it back.
   * @throws Busy when none was free in time, or too many wait
   */
  enter(applicant: Applicant): Promise<() => void>;
  /** Whether the applicant would be let in at once. */
  hasRoom(applicant: Applicant): boolean;
  /** How many wait. */
  waiting(): number;
};

export type AdmissionLimits = {
  /** How many work at a time. */
  places: number;
  /** How long one waits at most, in milliseconds: where a caller waits, and in the background. */
  patience: { request: number; background: number };
  /** How many wait at most: of one user, and of all. */
  queue: { user: number; all: number };
};

/** Places that one user takes at a time, and as many again for the background. One waits for a lock; another can read. */
const OWN = 2;
/** After so many that went before the background, one of the background goes before them. */
const TURNS = 4;
/** The longest time to come back after, in seconds. */
const LATEST = 30;

type Waiter = { admit(leave: () => void): void };
type Lane = { held: Map<string, number>; waiting: Map<string, Set<Waiter>>; working: number };

/**
 * Lets in as many as there are places: the server itself first, then those for whom a caller waits, then the background,
 * which is not left out for ever. Among them it is the users' turn one after another, and nobody takes more than two places
 * and leaves none: one user's hundred calls, or a lock that they wait for, hold up nobody else.
 */
export function createAdmission({ places, patience, queue }: AdmissionLimits): Admission {
  const own = Math.max(1, Math.min(OWN, places - 1));
  const shared = Math.max(1, places - Math.ceil(places / 4));
  const [system, requests, background] = [newLane(), newLane(), newLane()];
  let working = 0;
  let waiting = 0;
  let passedOver = 0;
  /** How long a place is held, in seconds, on the average of late. */
  let held = 0.01;

  const laneOf = ({ userId, isBackground }: Applicant): Lane => {
    if (userId === null) return system;
    return isBackground ? background : requests;
  };
  const mayHold = (lane: Lane, userId: string): boolean => {
    if (lane === system) return true;
    if (lane === background && lane.working >= shared) return false;
    return (lane.held.get(userId) ?? 0) < own;
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
      held += ((performance.now() - since) / 1000 - held) / 20;
      working -= 1;
      lane.working -= 1;
      const left = (lane.held.get(userId) ?? 1) - 1;
      if (left === 0) lane.held.delete(userId);
      else lane.held.set(userId, left);
      admit();
    };
  };
  /** Lets in the next of a lane: the first user who may hold another place, who then comes last. */
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
    const isTheirTurn = passedOver >= TURNS;
    if (isTheirTurn) passedOver = 0;
    if (isTheirTurn && admitOne(background)) return true;
    if (!admitOne(requests)) return admitOne(background);
    if (background.waiting.size > 0) passedOver += 1;
    return true;
  };
  const admit = () => {
    while (working < places && waiting > 0 && admitNext());
  };
  /** When those who came before will have had their turn. */
  const retryAfter = (before: number): number =>
    Math.min(LATEST, Math.max(1, Math.ceil((before * held) / own)));

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
