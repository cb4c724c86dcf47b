import type { RecallContext } from '../context.ts';
import type { KnownFact } from '../db/facts/recalled.ts';
import type { FoundTurn } from '../db/search/search.ts';
import type { Intent } from '../domain/ranking/memory-ranking.ts';
import { choose, type Entry } from '../domain/ranking/pool.ts';
import { assemble, type Hit } from './assemble.ts';
import { fitBudget, type LeftOut } from './budget.ts';
import { answers, isLookedUpFirst, knownFacts } from './known-facts.ts';
import { noteAccess } from './note-access.ts';
import { noteShown } from './note-shown.ts';
import { queryVector, type VectorUse } from './query-vector.ts';
import { rankFound } from './rank-found.ts';
import { type Question, readQuestion } from './read-question.ts';
import { LEADING, retrieve } from './retrieve.ts';
import { rangeOf, type TimeRange } from './time-range.ts';

export type Recall = {
  /** What is known of the person without a search. */
  facts: KnownFact[];
  hits: Hit[];
  /** The span of time that was searched; null = all. */
  range: TimeRange | null;
  intent: Intent;
  /** It sounds as if it went on from what was said before. */
  continues: boolean;
  /** The words that were looked for, as terms. */
  terms: readonly string[];
  vectors: VectorUse;
  asOf: Date;
  leftOut: LeftOut;
};

/** For what something is recalled. */
export type Scope = {
  /** Only what comes from these threads; null = from all. */
  threadIds: readonly number[] | null;
  /** The thread in which the answer is shown, whose talk reviews it. */
  shownIn: number | null;
  /** It is what somebody says, not a question to the memory. */
  isMessage: boolean;
};

/**
 * The way of a question (requirements 12): the facts that are known, then what words and meaning find, ranked, with what it
 * shows.
 * @param input see `readQuestion`
 * @param scope see `Scope`
 * @throws InvalidInput
 */
export async function recall(
  ctx: RecallContext,
  userId: string,
  { input, threadIds, shownIn, isMessage }: Scope & { input: unknown },
): Promise<Recall> {
  const started = performance.now();
  const question = await readQuestion(ctx, userId, input);
  const asOf = question.asOf ?? ctx.clock();
  const intent = intentOf(question);
  // A message that is no question to the memory may name a time to come.
  const namesRange = !isMessage || intent === 'RECALL';
  const range = namesRange ? await rangeOf(ctx, userId, { ...question, now: asOf }) : null;
  const early = isLookedUpFirst(question)
    ? await ctx.memory(userId).read((memory) => knownFacts(memory, question, isMessage))
    : null;
  const { vector, use } =
    question.factsOnly || (early && answers(early, question))
      ? { vector: null, use: 'NOT_NEEDED' as const }
      : await queryVector(ctx, userId, question);
  const search = { question, range, threadIds, isMessage, known: early, vector, vectors: use };
  const { found, hits } = await ctx.memory(userId).read(
    async (memory) => {
      const found = await retrieve(ctx, memory, search);
      const { fusion, weights, mostFacts } = ctx.config.recall;
      const first = question.first ?? ctx.config.recall.first;
      const pool = rankFound(found, { intent, now: asOf, fusion }, weights);
      const { facts: known } = found.known;
      const best = choose(without(pool, known), intent, { first, mostFacts });
      const leading = isMessage || question.detail !== 'AUTO' ? [] : leadingOf(pool);
      const extent = { ...question, best, known, leading, isMessage };
      return { found, hits: await assemble(ctx, memory, extent) };
    },
    { generic: true },
  );
  const { known, vectors } = found;
  if (!question.factsOnly) noteAccess(ctx, userId, { facts: known.facts, hits });
  const { continues, ranking } = question.reading;
  const reading = { range: found.range, intent, continues, terms: ranking.terms };
  const recalled = { facts: known.facts, hits, ...reading, vectors, asOf };
  const leftOut = { facts: known.all - known.facts.length, hits: 0, details: 0 };
  const fitted = await fitBudget({ ...recalled, leftOut }, question.maxTokens);
  ctx.metrics.recalled({ intent, vectors, seconds: (performance.now() - started) / 1000 });
  if (shownIn !== null)
    void noteShown(ctx, userId, {
      threadId: shownIn,
      episodeIds: episodesOf(fitted.hits),
      now: asOf,
    });
  return fitted;
}

/** The turns that answer best; the search looks for at least as many. */
const leadingOf = (pool: readonly Entry<FoundTurn>[]): FoundTurn[] =>
  pool
    .flatMap((entry) => (entry.kind === 'TURN' ? [entry] : []))
    .sort((a, b) => b.score - a.score)
    .slice(0, LEADING)
    .map(({ turn }) => turn.candidate);

/** The episodes among hits, by their ids. */
export const episodesOf = (hits: readonly Hit[]): number[] =>
  hits.flatMap((hit) => (hit.kind === 'EPISODE' ? hit.episode.id : []));

const intentOf = ({ reading, recallIntent }: Question): Intent =>
  (recallIntent ?? reading.asksForEarlierTalk) ? 'RECALL' : 'ORDINARY';

/** Facts that are known are not found again. */
function without<Turn>(pool: readonly Entry<Turn>[], facts: readonly KnownFact[]): Entry<Turn>[] {
  const known = new Set(facts.map(({ id }) => id));
  return pool.filter((entry) => entry.kind !== 'FACT' || !known.has(entry.memory.candidate.id));
}
