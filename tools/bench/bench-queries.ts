import type { Embedder } from '../../src/embedder/core/embedder.ts';
import { timed } from '../support/measure.ts';
import type { BenchMemory } from './bench-memories.ts';

/** A question with its vector. */
export type Query = { userId: string; text: string; vector: number[] };

/** The number of rounds, and of questions per round. */
export type Rounds = { rounds: number; queries: number };

/** How many hits to request. */
export const FIRST = 10;
/** How many questions warm the process up, until hot code is compiled and memories are cached. */
const WARM_UP = 500;
/** The maximum time of the warm-up, in milliseconds. */
const WARM = 5_000;

/** Questions of all users in turn. Each is asked once if there are enough of them. */
export async function makeQueries(
  memories: readonly BenchMemory[],
  { rounds, queries: each }: Rounds,
  embedder: Embedder,
): Promise<Query[]> {
  const asked = Array.from({ length: WARM_UP + rounds * each }, (_, index) => {
    const { userId, questions } = memories[index % memories.length] as BenchMemory;
    const text = questions[Math.floor(index / memories.length) % questions.length] as string;
    return { userId, text };
  });
  const vectors = await embedder.embed(
    asked.map(({ text }) => text),
    { priority: 'batch' },
  );
  return asked.map((query, index) => ({ ...query, vector: Array.from(vectors[index] ?? []) }));
}

/** Calls `ask` for each question of each round, after a warm-up. @returns the milliseconds of each call, by round */
export const inRounds = async (
  queries: readonly Query[],
  rounds: Rounds,
  ask: Ask,
): Promise<number[][]> => (await inRoundsBeside(queries, rounds, { ask })).ask;

type Ask = (query: Query) => Promise<unknown>;

/** The same for several ways to ask, in turn within each round. */
export async function inRoundsBeside<Name extends string>(
  queries: readonly Query[],
  { rounds, queries: each }: Rounds,
  ways: Record<Name, Ask>,
): Promise<Record<Name, number[][]>> {
  const names = Object.keys(ways) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[][]]));
  for (const name of names) {
    const end = performance.now() + WARM;
    for (const query of queries.slice(0, WARM_UP)) {
      if (performance.now() < end) await ways[name](query);
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    const start = WARM_UP + round * each;
    for (const name of names) {
      const times: number[] = [];
      for (const query of queries.slice(start, start + each))
        times.push((await timed(() => ways[name](query))).ms);
      found[name]?.push(times);
    }
  }
  return found as Record<Name, number[][]>;
}
