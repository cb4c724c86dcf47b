import { Busy } from '../../domain/core/errors.ts';

/** Who goes first: requests; then, in turns, transactions that store many rows ("bulk") and background work. */
export type Urgency = 'request' | 'bulk' | 'background';

/** On whose behalf a transaction runs: a user, or the server itself (null). */
export type Applicant = { userId: string | null; urgency: Urgency };

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
  /** The longest wait for a place, in milliseconds. */
  patience: Record<Urgency, number>;
  /** The longest queue: of one user in one tier, and of all together. */
  queue: { user: number; all: number };
};

/** Places that one user may hold in each tier. With two, one can wait for a lock while the other reads. */
const PLACES_PER_USER = 2;
/** While others wait, one of them goes first after this many requests. */
const REQUESTS_BEFORE_OTHERS = 4;
/** How many transactions that store many rows run at a time: each keeps an embedded database busy for up to 0.1 s. */
const BULK = 1;
/** The longest `Retry-After`, in seconds. */
const MAX_RETRY_AFTER = 30;

type Waiter = { admit(leave: () => void): void };
/** Transactions of one urgency: those that work, and those that wait. */
type Tier = {
  held: Map<string, number>;
  waiting: Map<string, Set<Waiter>>;
  working: number;
  /** How many may work at a time. */
  most: number;
};

/**
 * Admits as many transactions as there are places. The server's own go first, then requests, then in turns those that store
 * many rows, one at a time, and background work. None of them can starve. Within each of these, users are served in rotation.
 * In each tier no user holds more than two places, nor all of them, unless there is only one: a hundred calls of one user, or
 * a lock that they wait for, do not block the requests of others.
 */
export function createAdmission({ places, patience, queue }: AdmissionLimits): Admission {
  const perUser = Math.max(1, Math.min(PLACES_PER_USER, places - 1));
  // Background work leaves a quarter of the places to others.
  const forBackground = Math.max(1, places - Math.ceil(places / 4));
  const system = newTier(places);
  const tiers = {
    request: newTier(places),
    bulk: newTier(BULK),
    background: newTier(forBackground),
  };
  /** Those that go after requests, in the order in which they are admitted next. */
  const others = [tiers.bulk, tiers.background];
  let working = 0;
  let waiting = 0;
  let passedOver = 0;
  /** A moving average of the time for which a place is held, in seconds. */
  let averageHold = 0.01;

  const tierOf = ({ userId, urgency }: Applicant): Tier =>
    userId === null ? system : tiers[urgency];
  const mayHold = (tier: Tier, userId: string): boolean => {
    if (tier === system) return true;
    return tier.working < tier.most && (tier.held.get(userId) ?? 0) < perUser;
  };
  const hasRoom = ({ userId, urgency }: Applicant): boolean => {
    const [tier, user] = [tierOf({ userId, urgency }), userId ?? ''];
    return working < places && !tier.waiting.has(user) && mayHold(tier, user);
  };

  const take = (tier: Tier, userId: string): (() => void) => {
    const since = performance.now();
    working += 1;
    tier.working += 1;
    tier.held.set(userId, (tier.held.get(userId) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      averageHold += ((performance.now() - since) / 1000 - averageHold) / 20;
      working -= 1;
      tier.working -= 1;
      const left = (tier.held.get(userId) ?? 1) - 1;
      if (left === 0) tier.held.delete(userId);
      else tier.held.set(userId, left);
      admit();
    };
  };
  /** Admits one applicant of a tier: of the first user who may hold another place. That user then moves to the end. */
  const admitOne = (tier: Tier): boolean => {
    for (const [userId, line] of tier.waiting) {
      if (!mayHold(tier, userId)) continue;
      const [first] = line;
      line.delete(first as Waiter);
      tier.waiting.delete(userId);
      if (line.size > 0) tier.waiting.set(userId, line);
      waiting -= 1;
      (first as Waiter).admit(take(tier, userId));
      return true;
    }
    return false;
  };
  const admitOther = (): boolean => {
    const admitted = others.findIndex(admitOne);
    // The tier that was first in order and was served goes to the end.
    if (admitted === 0) others.reverse();
    return admitted >= 0;
  };
  const admitNext = (): boolean => {
    if (admitOne(system)) return true;
    if (passedOver >= REQUESTS_BEFORE_OTHERS) {
      passedOver = 0;
      if (admitOther()) return true;
    }
    if (!admitOne(tiers.request)) return admitOther();
    if (others.some((tier) => tier.waiting.size > 0)) passedOver += 1;
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
      const tier = tierOf(applicant);
      const userId = applicant.userId ?? '';
      if (hasRoom(applicant)) return Promise.resolve(take(tier, userId));
      const own = tier.waiting.get(userId);
      const before = own?.size ?? 0;
      if (before >= queue.user || waiting >= queue.all) {
        return Promise.reject(new Busy(retryAfter(before)));
      }
      return new Promise((resolve, reject) => {
        const line = own ?? new Set();
        const tooLate = () => {
          line.delete(waiter);
          if (line.size === 0) tier.waiting.delete(userId);
          waiting -= 1;
          reject(new Busy(retryAfter(line.size)));
        };
        const timer = setTimeout(tooLate, patience[applicant.urgency]);
        const waiter: Waiter = {
          admit: (leave) => {
            clearTimeout(timer);
            resolve(leave);
          },
        };
        line.add(waiter);
        tier.waiting.set(userId, line);
        waiting += 1;
      });
    },
  };
}

const newTier = (most: number): Tier => ({
  held: new Map(),
  waiting: new Map(),
  working: 0,
  most,
});
