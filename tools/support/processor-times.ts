import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { isCitus } from './citus.ts';
import type { ServerProcess } from './server-process.ts';

/** What computes for a server; `rest`: the rules of requests, the indexer, the embedded database, collectors of garbage. */
export const THREADS = ['main', 'embedder', 'language', 'rest', 'database'] as const;
type Times = Record<(typeof THREADS)[number], number>;

/** Threads in the background are told by how much they give way, see `built-in-worker.ts` and `language-threads.ts`. */
const BY_NICENESS = new Map<number, keyof Times>([
  [5, 'embedder'],
  [10, 'language'],
]);

/**
 * The processor's own count, in milliseconds, of what a server has computed, by kind of thread: waiting for a busy machine
 * does not count. Zero where there is no /proc, and for a database on another machine or on several nodes.
 */
export async function processorTimes({
  pid,
  databaseUrl,
}: Pick<ServerProcess, 'pid' | 'databaseUrl'>) {
  const times: Times = { main: 0, embedder: 0, language: 0, rest: 0, database: 0 };
  for (const thread of threadsOf(pid)) {
    const kind = thread.id === pid ? 'main' : (BY_NICENESS.get(thread.niceness) ?? 'rest');
    times[kind] += thread.milliseconds;
  }
  for (const backend of databaseUrl && !(await isCitus(databaseUrl))
    ? await backendsOf(databaseUrl)
    : []) {
    for (const { milliseconds } of threadsOf(backend)) times.database += milliseconds;
  }
  return {
    times,
    /** What was computed since, divided by a count. */
    since: (before: { times: Times }, count: number): Times =>
      Object.fromEntries(
        THREADS.map((kind) => [kind, (times[kind] - before.times[kind]) / count]),
      ) as Times,
  };
}

function threadsOf(pid: number): { id: number; milliseconds: number; niceness: number }[] {
  const folder = `/proc/${pid}/task`;
  return unlessGone(() => readdirSync(folder)).flatMap((id) =>
    unlessGone(() => {
      const [nanoseconds] = readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ', 1);
      // The name in brackets may hold blanks.
      const fields = readFileSync(`${folder}/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const milliseconds = Number(nanoseconds) / 1e6;
      return [{ id: Number(id), milliseconds, niceness: Number(fields[16]) }];
    }),
  );
}

/** Nothing for a process or thread that has ended meanwhile, and where there is no /proc. */
function unlessGone<T>(read: () => T[]): T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

async function backendsOf(databaseUrl: string): Promise<number[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}
