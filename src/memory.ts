import { type Bound, binderOf } from './db/bind.ts';
import type { Database, Tx } from './db/database.ts';
import { append } from './db/events.ts';
import { add } from './db/jobs.ts';
import { store } from './db/store.ts';
import type { EventDraft } from './domain/event.ts';
import type { JobDraft } from './domain/job.ts';
import type { Announcer } from './events/announcer.ts';

/** One user's memory, read in one transaction: the statements of every noun, bound to both. */
export type MemoryReader = Bound<Tx, typeof store> & {
  readonly userId: string;
  /** The transaction itself, for what asks the database by other means. */
  readonly tx: Tx;
  /** When the work began. */
  readonly now: Date;
};

/**
 * One user's memory in a transaction that writes. What is recorded and woken is stored with the commit, by one statement
 * each; workers and followers learn of it afterwards.
 */
export type Memory = MemoryReader & {
  /** Appends events to the log, in this order. */
  record(events: EventDraft | readonly EventDraft[]): void;
  /** Has background steps look; those that are waiting already look no later than they would. */
  wake(jobs: JobDraft | readonly JobDraft[]): void;
  /** Says that something changed of which neither an event nor a step tells. */
  changed(): void;
  /** Hands what is recorded and woken so far to a statement that stores it together with the rest. */
  take(): { events: EventDraft[]; jobs: JobDraft[] };
  /** Calls back once it is committed: for the log and the metrics, which tell of nothing that was rolled back. */
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

type Services = { db: Database; announcer: Announcer; clock: () => Date };

const bind = binderOf<Tx>()(store);
const bindDatabase = binderOf<Database>()(store);

/** The statements for the deployment itself, as a method of the context: no user's rows are hidden from them. */
export function openDeployment(this: Pick<Services, 'db'>): Bound<Database, typeof store> {
  return bindDatabase(this.db);
}

/** Opens a user's memory, as a method of the context. */
export function openMemory(this: Services, userId: string): MemoryAccess {
  const { db, announcer, clock } = this;
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
        const unit = createUnit(tx, clock());
        const result = await work(unit.memory);
        isTold = await unit.flush();
        return result;
      };
      const result = await db.asUser(userId, run, { lock, ...options });
      if (isTold) announcer.announce(userId);
      return result;
    },
  };
}

function createUnit(tx: Tx, now: Date) {
  const events: EventDraft[] = [];
  const jobs = new Map<string, JobDraft>();
  let isChanged = false;
  const memory: Memory = Object.assign(bind(tx), {
    userId: tx.userId,
    tx,
    now,
    record: (drafts: EventDraft | readonly EventDraft[]) => void events.push(...[drafts].flat()),
    wake: (drafts: JobDraft | readonly JobDraft[]) => {
      for (const draft of [drafts].flat()) {
        const place = `${draft.step} ${draft.subject}`;
        const waiting = jobs.get(place);
        if (!waiting || draft.runAt < waiting.runAt) jobs.set(place, draft);
      }
    },
    changed: () => {
      isChanged = true;
    },
    take: () => {
      isChanged = true;
      const taken = { events: events.splice(0), jobs: [...jobs.values()] };
      jobs.clear();
      return taken;
    },
    onCommit: tx.onCommit,
  });
  return {
    memory,
    /** Stores what is left; whether anybody is to be told. */
    async flush(): Promise<boolean> {
      const { size } = jobs;
      if (events.length > 0) await append(tx, events, now);
      if (size > 0) await add(tx, [...jobs.values()]);
      return isChanged || events.length > 0 || size > 0;
    },
  };
}
