import pg from 'pg';
import type { CompactionProgress } from '../domain/episodes/compaction.ts';
import type { LinkingProgress } from '../domain/links/linking-progress.ts';
import type { Logger } from '../observability/logger.ts';

/** How far something is that can be watched. */
type Progress = ({ of: 'compaction' } & CompactionProgress) | ({ of: 'linking' } & LinkingProgress);

/** Tells who listens that a user's memory changed; what changed they read from the log. */
export type Announcer = {
  /** Says that something was committed for a user, or for all (null). Never fails and never waits. */
  announce(userId: string | null): void;
  /** Calls back after each commit, here or in another process; null = everybody should look. */
  onChange(listener: Listener): () => void;
  /** Tells how far something is, of a user or of all (null). Live only: who does not listen never learns of it. */
  announceProgress(userId: string | null, progress: Progress): void;
  onProgress(listener: ProgressListener): () => void;
  [Symbol.asyncDispose](): Promise<void>;
};

const CHANNEL = 'mnemograph';
const PROGRESS = 'mnemograph_progress';
const RECONNECT_AFTER = 1000;

/** What goes between processes: numbers, and no word of any memory. */
type Progressed = { sender: string; userId: string | null; progress: Progress };

/** Called with whose memory changed; null = perhaps anybody's. */
type Listener = (userId: string | null) => void;

type ProgressListener = (userId: string | null, progress: Progress) => void;

/** Within one process: the embedded database has no other. */
export function createLocalAnnouncer(listeners = new Set<Listener>()): Announcer {
  const watchers = new Set<ProgressListener>();
  return {
    announce: (userId) => {
      for (const listener of listeners) listener(userId);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announceProgress: (userId, progress) => {
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
 * Between processes on one PostgreSQL: NOTIFY after the commit, since inside a transaction it
 * would let all commits wait for one another. A lost notification is made up for by polling.
 */
export function createSharedAnnouncer(pool: pg.Pool, logger: Logger): Announcer {
  const listeners = new Set<Listener>();
  const local = createLocalAnnouncer(listeners);
  const own = crypto.randomUUID();
  let waiting = new Set<string | null>();
  let sending = false;
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const send = async () => {
    sending = true;
    while (waiting.size > 0 && !closed) {
      const payloads = [...waiting].map((userId) => (userId === null ? own : `${own} ${userId}`));
      waiting = new Set();
      await pool
        .query('SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p', [CHANNEL, payloads])
        .catch((error) => logger.warn({ err: error }, 'events.notify_failed'));
    }
    sending = false;
  };

  const listen = async () => {
    const next = new pg.Client(pool.options);
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === PROGRESS) {
        const { sender, userId, progress } = JSON.parse(payload) as Progressed;
        if (sender !== own) local.announceProgress(userId, progress);
        return;
      }
      const [sender, userId] = /^(\S+) (.*)$/s.exec(payload)?.slice(1) ?? [payload, null];
      if (sender !== own) local.announce(userId ?? null);
    });
    next.on('error', () => next.end().catch(() => undefined));
    await next.connect();
    // From here on: an attempt that fails ends too, and must not be made up for twice.
    next.on('end', reconnect);
    await next.query(`LISTEN ${CHANNEL}; LISTEN ${PROGRESS}`);
    client = next;
    // What was announced while nobody listened.
    for (const listener of listeners) listener(null);
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
    announce: (userId) => {
      local.announce(userId);
      waiting.add(userId);
      if (!sending) void send();
    },
    onChange: local.onChange,
    announceProgress: (userId, progress) => {
      local.announceProgress(userId, progress);
      const payload = JSON.stringify({ sender: own, userId, progress } satisfies Progressed);
      pool
        .query('SELECT pg_notify($1, $2)', [PROGRESS, payload])
        .catch((error) => logger.warn({ err: error }, 'events.notify_failed'));
    },
    onProgress: local.onProgress,
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
      await local[Symbol.asyncDispose]();
    },
  };
}
