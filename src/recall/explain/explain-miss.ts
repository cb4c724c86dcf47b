import type { RecallContext } from '../../context.ts';
import { MEMORY_KINDS, type MemoryKind } from '../../domain/core/memory-kind.ts';
import { factTime } from '../../domain/facts/fact-time.ts';
import type { Scored } from '../../domain/ranking/scored.ts';
import { findHits, type RecallRequest, recall } from '../recall.ts';
import type { Search } from '../search.ts';
import type { StageName, Trace } from '../trace.ts';
import { explainStages, type Miss, nameOf, type StageCandidate } from './explain-stages.ts';

/** How a recall treated one memory. */
export type Explained = {
  /** The stage that left it out; null if it is among the hits. */
  stage: StageName | null;
  miss: Miss | null;
  /** Its rank among all candidates that were scored, and how many there were; the rank is null if it was not scored. */
  rank: number | null;
  candidates: number;
  scored: Scored | null;
  /** The score of the last hit; null without hits. */
  lowest: number | null;
};

/** A memory by its kind and its id. A skill is named by its episode and its number there; for other kinds the number is ignored. */
export type Wanted = { kind: MemoryKind; id: number; number: number };

/**
 * Explains why a memory is not among the hits of a query, or at which rank it is. Nothing is recorded. Every candidate is read and
 * scored, so that its rank is exact.
 * @throws InvalidInput
 */
export async function explainMiss(
  ctx: RecallContext,
  userId: string,
  { wanted, ...request }: RecallRequest & { wanted: Wanted },
): Promise<Explained> {
  const { trace } = await recall(ctx, userId, { ...request, isDry: true, ranksAll: true });
  const stages = explainStages(trace);
  const inStage = stages.map(({ name, candidates }) => ({
    name,
    candidate: candidates().find((one) => isWanted(wanted, one)) ?? null,
  }));
  const out = inStage.find(({ candidate }) => candidate?.miss);
  const ranked = inStage.find(({ name }) => name === 'SCORES')?.candidate;
  const isFound = inStage.some(({ candidate }) => candidate !== null);
  const miss = isFound
    ? (out?.candidate?.miss ?? null)
    : await missOfUnfound(ctx, userId, { trace, wanted });
  return {
    stage: miss === null ? null : (out?.name ?? 'CANDIDATES'),
    miss,
    rank: ranked?.rank ?? null,
    candidates: trace.scored.length,
    scored: trace.scored.find(({ candidate }) => isWanted(wanted, candidate)) ?? null,
    lowest: trace.hits.at(-1)?.score ?? null,
  };
}

const isWanted = (
  wanted: Wanted,
  { kind, ...one }: Pick<StageCandidate, 'kind' | 'id' | 'number'>,
): boolean => nameOf({ kind, candidate: one }) === nameOf({ kind: wanted.kind, candidate: wanted });

/** Why something is not among the candidates. */
async function missOfUnfound(
  ctx: RecallContext,
  userId: string,
  sought: { trace: Trace; wanted: Wanted },
): Promise<Miss> {
  const { trace, wanted } = sought;
  const { facts } = trace.candidates.known;
  if (wanted.kind === 'FACT' && facts.some(({ id }) => id === wanted.id)) return 'KNOWN_FACT';
  return (await isFoundWithout(ctx, userId, sought)) ? 'FILTERED' : 'NOT_FOUND';
}

/** Whether the same query would find it without any restriction of kinds, times, threads, channels, speakers or categories. */
async function isFoundWithout(
  ctx: RecallContext,
  userId: string,
  { trace, wanted }: { trace: Trace; wanted: Wanted },
): Promise<boolean> {
  const { search } = trace.candidates;
  const question: Search['question'] = {
    ...search.question,
    kinds: [...MEMORY_KINDS],
    asOf: null,
    factsAt: factTime(ctx.clock()),
    threadIds: null,
    channels: null,
    speakers: null,
    categories: null,
    factsOnly: false,
  };
  const { trace: open } = await findHits(ctx, userId, {
    ...search,
    question,
    range: null,
    held: null,
  });
  const { turns, memories } = open.candidates;
  return [...(turns?.all ?? []), ...memories].some((one) => isWanted(wanted, one));
}
