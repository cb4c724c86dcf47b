import { Gauge, Histogram, type Registry } from 'prom-client';

type Request = { method: string; route: string; status: string; seconds: number };
type Operation = { type: string; operation: string; outcome: 'ok' | 'errors'; seconds: number };
type Recalled = { intent: string; vectors: string; seconds: number };
/** The counts of connections that a `pg` pool keeps. */
type Pool = { totalCount: number; idleCount: number };

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics of requests, subscriptions, and the database. */
export function serverMetrics(registers: Registry[]) {
  const histogram = (name: string, help: string, labelNames: string[] = []) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers });
  const requests = histogram(
    'mnemograph_http_request_seconds',
    'Duration of HTTP requests. Status "aborted": the client disconnected. Event streams have their own route and stay open.',
    ['method', 'route', 'status'],
  );
  const operations = histogram(
    'mnemograph_graphql_operation_seconds',
    'GraphQL queries and mutations over HTTP and WebSocket, by their top-level field; "several" if they have more than one.',
    ['type', 'operation', 'outcome'],
  );
  const recalls = histogram(
    'mnemograph_recall_seconds',
    'Recalls, including those for a context, by recall intent and by use of vectors.',
    ['intent', 'vectors'],
  );
  const lag = histogram(
    'mnemograph_event_lag_seconds',
    'Time from the recording of an event to its delivery to a live subscriber.',
  );
  const subscribers = new Gauge({
    name: 'mnemograph_subscribers',
    help: 'Live subscriptions of this process, by field.',
    labelNames: ['operation'],
    registers,
  });
  const connections = new Gauge({
    name: 'mnemograph_database_connections',
    help: 'Connections of the pool, by state.',
    labelNames: ['state'],
    registers,
  });
  const waiting = new Gauge({
    name: 'mnemograph_database_waiting',
    help: 'Statements and transactions that wait for a database connection.',
    registers,
  });
  const diskFree = new Gauge({
    name: 'mnemograph_disk_free_bytes',
    help: 'Free space on the disk of the embedded database.',
    registers,
  });
  const cached = new Gauge({
    name: 'mnemograph_turn_cache_bytes',
    help: 'Size of the cache of turns for recalls.',
    registers,
  });
  // No series until a value is set: without an embedded database there is no disk to observe.
  diskFree.remove();
  return {
    request: ({ seconds, ...labels }: Request) => requests.observe(labels, seconds),
    operation: ({ seconds, ...labels }: Operation) => operations.observe(labels, seconds),
    recalled: ({ seconds, ...labels }: Recalled) => recalls.observe(labels, seconds),
    delivered: (seconds: number) => lag.observe(seconds),
    /** Counts a live subscription. @returns a function to call when it ends; further calls have no effect */
    subscribed(operation: string): () => void {
      let isLive = true;
      subscribers.inc({ operation });
      return () => {
        if (isLive) subscribers.dec({ operation });
        isLive = false;
      };
    },
    turnCache: (bytes: number) => cached.set(bytes),
    pool({ totalCount, idleCount }: Pool, waitingCount: number) {
      connections.set({ state: 'idle' }, idleCount);
      connections.set({ state: 'busy' }, totalCount - idleCount);
      waiting.set(waitingCount);
    },
    diskFree(bytes: number | null) {
      if (bytes !== null) diskFree.set(bytes);
    },
  };
}
