import { type Bound, binderOf } from './db/core/bind.ts';
import type { Database, GroupTx, Tx } from './db/core/database.ts';
import { append } from './db/operations/append-events.ts';
import { add, expedite } from './db/operations/jobs.ts';
import { store } from './db/store.ts';
import type { ChangeKind } from './domain/core/change.ts';
import { ErasedMeanwhile } from './domain/core/errors.ts';
import type { EventDraft } from './domain/core/event.ts';
import type { Publisher } from './events/publisher.ts';
import type { Step } from './pipeline.ts';
import type { RequestKey } from './requests.ts';
import {
  type Change,
  checkDeclared,
  type Debounce,
  type JobDraft,
  jobsFor,
  type Reporter,
} from './steps.ts';

/** One user's memory in one read-only transaction: the statements of every noun, bound to both. */
export type MemoryReader = Bound<Tx, typeof store> & {
  readonly userId: string;
  /** The transaction itself, for statements that are not in the store. */
  readonly tx: Tx;
  /** When the work began. */
  readonly now: Date;
};

/** What a unit of work adds to a user's log, and the steps that it triggers. */
export type Draft = {
  /** When the work began. */
  readonly now: Date;
  /** Appends events to the log, in this order. */
  record(events: EventDraft | readonly EventDraft[]): void;
  /**
   * Reports a change; the pipeline decides which steps it triggers.
   * @param subject the number of the thread, turn or episode that changed, as the kind requires
   * @param at when the triggered jobs are due, if later than now
   */
  changed(kind: ChangeKind, subject?: number, at?: Date): void;
  /** Takes the recorded events and triggered jobs out, for a statement that stores them together with other rows. */
  take(): { events: EventDraft[]; jobs: JobDraft[] };
};

/**
 * One user's memory in a transaction that writes. Recorded events and triggered jobs are sent with the commit, in one
 * statement each. After the commit the change is published to workers and subscriptions.
 */
export type Memory = MemoryReader &
  Draft & {
    /** Publishes the commit to workers and subscriptions even if nothing was recorded. */
    publishAnyway(): void;
    /** Registers a callback that runs after the commit, so that logs and metrics do not report what was rolled back. */
    onCommit(callback: () => void): void;
  };

/** The memories of several users in one transaction: the statements of the hot path. */
type SharedMemory = Bound<GroupTx, Pick<typeof store, 'remember' | 'placements'>> &
  Pick<GroupTx, 'locked'>;

type ReadOptions = {
  /** All statements see the same state of the database. */
  snapshot?: boolean;
  /** Uses one plan for all values, for statements that are written for it. */
  generic?: boolean;
};

type WriteOptions = {
  /** Locks the user's row first, so that what the work reads stays true until the commit; true by default. */
  lock?: boolean;
  /**
   * The erase epoch under which the input of the work was read. Throws ErasedMeanwhile if the user has forgotten something
   * since, and makes a forget wait until the commit. Without `lock`, others may write meanwhile.
   */
  since?: number;
  /** The first statement only reads, so it is sent together with the beginning of the transaction. Not with `since`. */
  readsFirst?: boolean;
  /** Writes to an embedded database even while the disk is nearly full. */
  useReserve?: boolean;
  /** Stores many rows. Requests that do not go first. */
  isBulk?: boolean;
  /** The request that the work is part of, unless a step does it: only changes that it declares may be reported. */
  request?: RequestKey;
};

/** Runs units of work on one user's memory. The work runs again if the database aborts its transaction. */
export type MemoryAccess = {
  read<T>(work: (memory: MemoryReader) => Promise<T>, options?: ReadOptions): Promise<T>;
  write<T>(work: (memory: Memory) => Promise<T>, options?: WriteOptions): Promise<T>;
};

type Services = {
  db: Database;
  publisher: Publisher;
  clock: () => Date;
  config: { debounce: Debounce };
  embedder: object | null;
};

/** Opens a user's memory, as a method of the context. */
export type OpenMemory = (this: Services, userId: string) => MemoryAccess;
/** Returns the statements for the whole deployment, as a method of the context. */
export type OpenDeployment = (this: Pick<Services, 'db'>) => Bound<Database, typeof store>;

const bind = binderOf<Tx>()(store);
const bindGroup = binderOf<GroupTx>()({ remember: store.remember, placements: store.placements });
const bindDatabase = binderOf<Database>()(store);

/** Returns the statements for the whole deployment, which run without row-level security. */
export const openDeployment: OpenDeployment = function open() {
  return bindDatabase(this.db);
};

/** Opens memories for a step, which may report only the changes it declares; null = for a request. */
export const openMemoryFor = (step: Step | null): OpenMemory =>
  function open(userId) {
    return accessTo(this, userId, step);
  };

/** Opens memories in a request. */
export const openMemory = openMemoryFor(null);

function accessTo(services: Services, userId: string, step: Step | null): MemoryAccess {
  const { db, publisher, clock } = services;
  return {
    read: (work, options = {}) =>
      db.asUser(userId, (tx) => work(Object.assign(bind(tx), { userId, tx, now: clock() })), {
        readOnly: true,
        ...options,
      }),
    write: async (work, { lock = true, since, request, ...options } = {}) => {
      let mustPublish = false;
      const reporter: Reporter | null = step ? { step } : request ? { request } : null;
      const run = async (tx: Tx) => {
        if (since !== undefined && tx.epoch !== since) throw new ErasedMeanwhile();
        const unit = createUnit(tx, draftFor(services, reporter));
        const result = await work(unit.memory);
        // After a crash the step would store it again, and nobody has been told of it.
        if (step && !unit.isRecorded()) tx.commitUnflushed();
        mustPublish = await unit.flush();
        return result;
      };
      const result = await db.asUser(userId, run, {
        lock,
        holdsOffForget: since !== undefined,
        ...options,
      });
      if (mustPublish) publisher.publish(userId, step !== null);
      return result;
    },
  };
}

/**
 * Runs a unit of work in one transaction of several users, see `Database.asUsers`. After the commit the change of each user that
 * `work` names is published.
 */
export async function writeTogether<Result extends { changed: readonly string[] }>(
  { db, publisher }: Pick<Services, 'db' | 'publisher'>,
  userIds: () => readonly string[],
  work: (memory: SharedMemory) => Promise<Result>,
): Promise<Result> {
  const result = await db.asUsers(userIds, (tx) =>
    work(Object.assign(bindGroup(tx), { locked: tx.locked })),
  );
  for (const userId of result.changed) publisher.publish(userId);
  return result;
}

/** Creates the draft of a request that stores its events and jobs itself. */
export const draftOfRequest = (services: Services, request: RequestKey): Draft =>
  draftFor(services, { request });

function draftFor({ config, embedder, clock }: Services, reporter: Reporter | null): Draft & Left {
  const now = clock();
  const { debounce } = config;
  const events: EventDraft[] = [];
  const jobs = createJobs();
  const waiting = createJobs();
  let isTaken = false;
  return {
    now,
    record: (drafts) => void events.push(...[drafts].flat()),
    changed: (kind, subject = 0, at) => {
      if (reporter) checkDeclared(reporter, kind);
      const change: Change = { kind, subject, at: at ?? null };
      const triggered = jobsFor(change, { debounce, hasEmbedder: embedder !== null, now });
      jobs.add(triggered.jobs);
      waiting.add(triggered.waiting);
    },
    take: () => {
      isTaken = true;
      return { events: events.splice(0), jobs: jobs.take() };
    },
    isRecorded: () => isTaken || events.length > 0,
    left: () => ({ events, added: jobs.take(), sooner: waiting.take() }),
  };
}

/** What was not taken from a draft. */
type Left = {
  /** Whether events were recorded, or taken. */
  isRecorded(): boolean;
  left(): { events: EventDraft[]; added: JobDraft[]; sooner: JobDraft[] };
};

function createUnit(tx: Tx, { isRecorded, left, ...draft }: Draft & Left) {
  let isTouched = false;
  const reporting: Tx = { ...tx, changed: draft.changed };
  const memory: Memory = Object.assign(bind(reporting), {
    ...draft,
    userId: tx.userId,
    tx: reporting,
    publishAnyway: () => {
      isTouched = true;
    },
    onCommit: tx.onCommit,
  });
  return {
    memory,
    isRecorded: () => isTouched || isRecorded(),
    /**
     * Stores the events and jobs that were not taken, and commits with them, in one round trip.
     * @returns whether the commit must be published
     */
    async flush(): Promise<boolean> {
      const { events, added, sooner } = left();
      const stores = [
        ...(events.length > 0 ? [(on: Tx) => append(on, events, draft.now)] : []),
        ...(added.length > 0 ? [(on: Tx) => add(on, added)] : []),
        ...(sooner.length > 0 ? [(on: Tx) => expedite(on, sooner)] : []),
      ];
      const last: Tx = { ...tx, query: tx.queryAndCommit };
      await Promise.all(stores.map((store, index) => store(stores[index + 1] ? tx : last)));
      return isTouched || isRecorded() || stores.length > 0;
    },
  };
}

/** Collects jobs to store: each once, at the earliest time for which it was triggered. */
function createJobs() {
  const jobs = new Map<string, JobDraft>();
  return {
    add(drafts: readonly JobDraft[]) {
      for (const draft of drafts) {
        const place = `${draft.step} ${draft.subject}`;
        const earlier = jobs.get(place);
        if (!earlier || draft.runAt < earlier.runAt) jobs.set(place, draft);
      }
    },
    take(): JobDraft[] {
      const taken = [...jobs.values()];
      jobs.clear();
      return taken;
    },
  };
}
