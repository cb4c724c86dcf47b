import { type Bound, binderOf } from './db/core/bind.ts';
import type { Database, Tx } from './db/core/database.ts';
import { append } from './db/operations/events.ts';
import { add, expedite } from './db/operations/jobs.ts';
import { store } from './db/store.ts';
import type { ChangeKind } from './domain/core/change.ts';
import type { EventDraft } from './domain/core/event.ts';
import type { Publisher } from './events/publisher.ts';
import type { Step } from './pipeline.ts';
import { type Change, checkDeclared, type Debounce, type JobDraft, jobsFor } from './steps.ts';

/** One user's memory, read in one transaction: the statements of every noun, bound to both. */
export type MemoryReader = Bound<Tx, typeof store> & {
  readonly userId: string;
  /** The transaction itself, for what asks the database by other means. */
  readonly tx: Tx;
  /** When the work began. */
  readonly now: Date;
};

/**
 * One user's memory in a transaction that writes. Recorded events and triggered jobs are stored with the commit, by one
 * statement each; workers and followers learn of them afterwards.
 */
export type Memory = MemoryReader & {
  /** Appends events to the log, in this order. */
  record(events: EventDraft | readonly EventDraft[]): void;
  /**
   * Says what changed: the pipeline decides which steps look at it.
   * @param subject the number of the thread, turn or episode that the kind names
   * @param at when the work is planned, if that is later
   */
  changed(kind: ChangeKind, subject?: number, at?: Date): void;
  /** Tells followers and workers of the commit though nothing was recorded. */
  touched(): void;
  /** Hands over the recorded events and the triggered jobs, for a statement that stores them together with other rows. */
  take(): { events: EventDraft[]; jobs: JobDraft[] };
  /** Calls back after the commit: log lines and metrics must not report what was rolled back. */
  onCommit(tell: () => void): void;
};

type ReadOptions = {
  /** Reads one state of the database, whatever is written meanwhile. */
  snapshot?: boolean;
  /** Statements are planned once for all values: for those that are written for that. */
  generic?: boolean;
};

type WriteOptions = {
  /** Locks the user's row first, so that what the work reads stays true until it commits; true by default. */
  lock?: boolean;
  /** Writes to an embedded database while the disk is nearly full too. */
  useReserve?: boolean;
};

/** The ways into one user's memory. The work may run again, where the database ended its transaction. */
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
  /** The step that works on it; none in a request. */
  step?: Step;
};

const bind = binderOf<Tx>()(store);
const bindDatabase = binderOf<Database>()(store);

/** The statements for the deployment itself, as a method of the context: no user's rows are hidden from them. */
export function openDeployment(this: Pick<Services, 'db'>): Bound<Database, typeof store> {
  return bindDatabase(this.db);
}

/** Opens a user's memory, as a method of the context. */
export function openMemory(this: Services, userId: string): MemoryAccess {
  const { db, publisher, clock, config, embedder, step } = this;
  return {
    read: (work, options = {}) =>
      db.asUser(
        userId,
        (tx) => work(Object.assign(bind(tx), { userId, tx, now: clock() })),
        options,
      ),
    write: async (work, { lock = true, ...options } = {}) => {
      let isTold = false;
      const run = async (tx: Tx) => {
        const now = clock();
        const { debounce } = config;
        const trigger = (change: Change) => {
          if (step) checkDeclared(step, change.kind);
          return jobsFor(change, { debounce, hasEmbedder: embedder !== null, now });
        };
        const unit = createUnit(tx, now, trigger);
        const result = await work(unit.memory);
        isTold = await unit.flush();
        return result;
      };
      const result = await db.asUser(userId, run, { lock, ...options });
      if (isTold) publisher.publish(userId);
      return result;
    },
  };
}

function createUnit(tx: Tx, now: Date, trigger: (change: Change) => ReturnType<typeof jobsFor>) {
  const events: EventDraft[] = [];
  const jobs = createJobs();
  const waiting = createJobs();
  let isTouched = false;
  const changed = (kind: ChangeKind, subject = 0, at: Date | null = null) => {
    const triggered = trigger({ kind, subject, at });
    jobs.add(triggered.jobs);
    waiting.add(triggered.waiting);
  };
  const own: Tx = { ...tx, changed };
  const memory: Memory = Object.assign(bind(own), {
    userId: tx.userId,
    tx: own,
    now,
    record: (drafts: EventDraft | readonly EventDraft[]) => void events.push(...[drafts].flat()),
    changed,
    touched: () => {
      isTouched = true;
    },
    take: () => {
      isTouched = true;
      return { events: events.splice(0), jobs: jobs.take() };
    },
    onCommit: tx.onCommit,
  });
  return {
    memory,
    /** Stores what was not taken. @returns whether the commit must be published */
    async flush(): Promise<boolean> {
      const added = jobs.take();
      const sooner = waiting.take();
      if (events.length > 0) await append(tx, events, now);
      if (added.length > 0) await add(tx, added);
      if (sooner.length > 0) await expedite(tx, sooner);
      return isTouched || events.length + added.length + sooner.length > 0;
    },
  };
}

/** Jobs to store: each once, at the earliest of the times that it was triggered for. */
function createJobs() {
  const jobs = new Map<string, JobDraft>();
  return {
    add(drafts: readonly JobDraft[]) {
      for (const draft of drafts) {
        const place = `${draft.step} ${draft.subject}`;
        const known = jobs.get(place);
        if (!known || draft.runAt < known.runAt) jobs.set(place, draft);
      }
    },
    take(): JobDraft[] {
      const taken = [...jobs.values()];
      jobs.clear();
      return taken;
    },
  };
}
