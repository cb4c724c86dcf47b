import { setTimeout as delay } from 'node:timers/promises';
import { importTurns, recallTurns, untilSettled } from '../../src/cli/support/memory-client.ts';
import { quantile, timed } from '../support/measure.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { madeUpMemories } from './bench-memories.ts';
import { FIRST, type Query } from './bench-queries.ts';

const TURNS = 2_000;
/** The pause between an answer and the next question, in milliseconds. */
const PAUSE = 10;

/** Measures how fast questions are answered, end to end, while 2,000 turns of another user are embedded. */
export async function recallWhileEmbedding(
  server: ServerProcess,
  queries: readonly Query[],
): Promise<Record<string, number>> {
  const [busy] = madeUpMemories(1, TURNS, `busy-${Date.now()}`);
  if (!busy) throw new Error('No memory was made up.');
  await importTurns(server.memory.as(busy.userId), null, busy.turns);
  let working = true;
  const settled = untilSettled(server, [busy.userId]).finally(() => {
    working = false;
  });
  const times: number[] = [];
  let withVectors = 0;
  for (let index = 0; working; index += 1) {
    const { userId, text } = queries[index % queries.length] as Query;
    // A new text each time, so that its vector is not cached.
    const query = `${text} (${index})`;
    const { ms, result } = await timed(() => recallTurns(server, { userId, query, first: FIRST }));
    times.push(ms);
    if (result.vectors === 'USED') withVectors += 1;
    await delay(PAUSE);
  }
  await settled;
  return {
    whileEmbeddingP50Ms: quantile(times, 0.5),
    whileEmbeddingP95Ms: quantile(times, 0.95),
    whileEmbeddingMaxMs: Math.max(...times),
    whileEmbeddingWithVectors: withVectors / times.length,
    whileEmbeddingQueries: times.length,
  };
}
