import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { CompactionProgress } from '../domain/episodes/compaction.ts';
import type { LinkingProgress } from '../domain/links/linking-progress.ts';
import type { Logger } from '../observability/logger.ts';

/** The progress of work that can be watched. */
type Progress = ({ of: 'compaction' } & CompactionProgress) | ({ of: 'linking' } & LinkingProgress);

/** Notifies listeners that a user's memory changed. They read what changed from the event log. */
export type Publisher = {
  /**
   * Publishes that a transaction changed the memory of a user; null: any user's memory may have changed. Never fails and never
   * waits.
   * @param byStep a background step of this process made the change
   */
  publish(userId: string | null, byStep?: boolean): void;
  /** Calls the listener after each commit, or after several of another process that come together. @returns a function that removes the listener */
  onChange(listener: Listener): () => void;
  /** Publishes the progress of work for a user, or for all users (null). It is not stored. */
  publishProgress(userId: string | null, progress: Progress): void;
  onProgress(listener: ProgressListener): () => void;
  [Symbol.asyncDispose](): Promise<void>;
};

const CHANNEL = 'mnemograph';
const PROGRESS = 'mnemograph_progress';
const RECONNECT_AFTER = 1000;
/**
 * How long changes are gathered before the next notification, in milliseconds. At hundreds of messages a second, one for each would
 * take a tenth of the processor time.
 */
const GATHER_FOR = 20;
/** How long a publisher that closes waits for its last notification, in milliseconds. Without it, others find the changes by polling. */
const LAST_WITHIN = 1_000;
const NOTIFY = { name: 'notify', text: 'SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p' };

/** The message between processes. It contains numbers and never any text of a memory. */
type Progressed = { sender: string; userId: string | null; progress: Progress };

/** Reads such a message; null if it is none, as anybody who can connect to the database can send another. */
function readProgress(payload: string): Progressed | null {
  try {
    const read = JSON.parse(payload) as Partial<Progressed> | null;
    return read?.progress ? (read as Progressed) : null;
  } catch {
    return null;
  }
}

/**
 * Called with the user whose memory changed; null = any memory may have changed. `byStep`: a background step of this process
 * made the change.
 */
type Listener = (userId: string | null, byStep: boolean) => void;

type ProgressListener = (userId: string | null, progress: Progress) => void;

/** Publishes within this process, which is enough for an embedded database: only one process uses it. */
export function createLocalPublisher(listeners = new Set<Listener>()): Publisher {
  const watchers = new Set<ProgressListener>();
  return {
    publish: (userId, byStep = false) => {
      for (const listener of listeners) listener(userId, byStep);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publishProgress: (userId, progress) => {
      for (const watcher of watchers) watcher(userId, { ...progress });
    },
    onProgress: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    [Symbol.asyncDispose]: async () => {
      listeners.clear();
      watchers.clear();
    },
  };
}

/**
 * Publishes to all processes on one PostgreSQL database, by NOTIFY after the commit: inside the transaction, NOTIFY
 * would make all commits wait for one another. Polling finds the events whose notification was lost.
 */
export function createSharedPublisher(pool: pg.Pool, logger: Logger): Publisher {
  const listeners = new Set<Listener>();
  const local = createLocalPublisher(listeners);
  const ownId = crypto.randomUUID();
  let waiting = new Set<string | null>();
  let sending = false;
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** Sends one notification for each user whose memory has changed since the last. */
  const notify = async () => {
    const payloads = [...waiting].map((userId) => (userId === null ? ownId : `${ownId} ${userId}`));
    waiting = new Set();
    await pool
      .query({ ...NOTIFY, values: [CHANNEL, payloads] })
      .catch((error) => logger.warn({ err: error }, 'events.notify_failed'));
  };
  const send = async () => {
    sending = true;
    while (waiting.size > 0 && !closed) {
      await notify();
      await delay(GATHER_FOR);
    }
    sending = false;
  };

  const receiveProgress = (payload: string) => {
    const progressed = readProgress(payload);
    if (!progressed) return logger.warn('events.payload_unreadable');
    const { sender, userId, progress } = progressed;
    if (sender !== ownId) local.publishProgress(userId, progress);
  };

  const listen = async () => {
    const next = new pg.Client(pool.options);
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === PROGRESS) return receiveProgress(payload);
      const [sender, userId] = /^(\S+) (.*)$/s.exec(payload)?.slice(1) ?? [payload, null];
      if (sender !== ownId) local.publish(userId ?? null);
    });
    next.on('error', (error) => {
      logger.warn({ err: error }, 'events.listen_lost');
      next.end().catch(() => undefined);
    });
    await next.connect();
    // Registered after connecting: a failed connect also emits 'end', and its caller reconnects already.
    next.on('end', reconnect);
    await next.query(`LISTEN ${CHANNEL}; LISTEN ${PROGRESS}`);
    client = next;
    // Changes may have been published while there was no connection.
    for (const listener of listeners) listener(null, false);
    if (closed) await next.end();
  };
  const connect = () => {
    listen().catch((error) => {
      logger.warn({ err: error }, 'events.listen_failed');
      reconnect();
    });
  };
  const reconnect = () => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(connect, RECONNECT_AFTER);
  };
  connect();

  return {
    publish: (userId, byStep) => {
      local.publish(userId, byStep);
      waiting.add(userId);
      if (!sending) void send();
    },
    onChange: local.onChange,
    publishProgress: (userId, progress) => {
      local.publishProgress(userId, progress);
      const payload = JSON.stringify({ sender: ownId, userId, progress } satisfies Progressed);
      pool
        .query('SELECT pg_notify($1, $2)', [PROGRESS, payload])
        .catch((error) => logger.warn({ err: error }, 'events.notify_failed'));
    },
    onProgress: local.onProgress,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      if (waiting.size > 0)
        await Promise.race([notify(), delay(LAST_WITHIN, null, { ref: false })]);
      await client?.end().catch(() => undefined);
      await local[Symbol.asyncDispose]();
    },
  };
}
