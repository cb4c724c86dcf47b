import pg from 'pg';
import { importTurns, recallTurns, untilSettled } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import type { BenchMemory } from './bench-memories.ts';
import { FIRST, inRounds, type Query, type Rounds } from './bench-queries.ts';
import { recallWhileEmbedding } from './bench-while-embedding.ts';

export type ServedOptions = Rounds & { whileEmbedding?: boolean; cpuProf?: string };

/** Starts a server process, fills it and asks it. @returns the milliseconds of each question, by round */
export async function measureServed(
  env: Record<string, string>,
  memories: readonly BenchMemory[],
  queries: readonly Query[],
  options: ServedOptions,
  embedder: string,
) {
  const { cpuProf } = options;
  const nodeOptions = cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${cpuProf}`] : [];
  await using server = await startServerProcess({ env, nodeOptions });
  await fill(server, memories);
  if (env.DATABASE_URL) await tidy(env.DATABASE_URL);
  const given = await inRounds(queries, options, ({ userId, text, vector }) =>
    recallTurns(server, {
      userId,
      query: text,
      first: FIRST,
      vector: { embedder, values: vector },
    }),
  );
  const whole = await inRounds(queries, options, ({ userId, text }) =>
    recallTurns(server, { userId, query: text, first: FIRST }),
  );
  const whileEmbedding = options.whileEmbedding
    ? await recallWhileEmbedding(server, queries)
    : undefined;
  return { apiKey: server.apiKey, given, whole, whileEmbedding };
}

/** Fills the memories, and waits until their background work is done. */
export async function fill(server: ServerProcess, memories: readonly BenchMemory[]): Promise<void> {
  const turns = memories.reduce((sum, memory) => sum + memory.turns.length, 0);
  {
    using stored = showProgress('turns remembered', turns);
    for (const { userId, turns: own } of memories) {
      await importTurns(server.memory.as(userId), null, own, stored.add);
    }
  }
  using settled = showProgress('memories indexed', memories.length);
  await untilSettled(
    server,
    memories.map(({ userId }) => userId),
    () => settled.add(1),
  );
}

/** Vacuums now, so that autovacuum does not begin during the measurement. */
async function tidy(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
