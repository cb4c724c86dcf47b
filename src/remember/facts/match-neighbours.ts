import type { MemoryContext, Needs } from '../../context.ts';
import type { NearFact } from '../../db/kinds/facts/nearest-facts.ts';
import { cosine } from '../../domain/core/vector.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import type { FoundCandidate } from './reconcile-facts.ts';
import { embeddedTextOf } from './save-fact-vectors.ts';

/** The cosine from which two statements are the same fact (requirements 9.16). */
const SAME = 0.95;
/** How many candidates one statement compares. Few, because it blocks an embedded database. */
const AT_ONCE = 5;

type MatchContext = MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>;

/**
 * Compares candidates without a key with the stored facts by semantic similarity. A nearly identical fact is reinforced; one
 * that the reasoner judges to be the same is updated instead of storing the candidate beside it.
 * @param ended stored facts that other candidates, not stored yet, will end
 */
export async function matchNeighbours(
  ctx: MatchContext,
  userId: string,
  { candidates, ended }: { candidates: readonly FoundCandidate[]; ended: readonly number[] },
): Promise<FoundCandidate[]> {
  const embedded = await embed(ctx, userId, { candidates, isDue: isCompared });
  const searches = embedded.flatMap(({ polarity, embedded }, place) =>
    embedded ? [{ place, polarity, ...embedded }] : [],
  );
  const [first] = searches;
  if (!first) return embedded;
  const found: NearFact[] = [];
  for (let from = 0; from < searches.length; from += AT_ONCE) {
    const part = searches.slice(from, from + AT_ONCE);
    // Planned anew each time, it would take as long to plan as to run.
    const near = await ctx
      .memory(userId)
      .read((memory) => memory.factVectors.nearest(first.embedder, part, ended), { generic: true });
    found.push(...near);
  }
  const searched = { userId, candidates: searches.length, found: found.length };
  ctx.logger.debug(searched, 'memory.search');
  const near = new Map(found.map((neighbour) => [neighbour.place, neighbour]));
  const matched: FoundCandidate[] = [];
  for (const [place, candidate] of embedded.entries()) {
    matched.push(await match(ctx, userId, { candidate, near: near.get(place) ?? null }));
  }
  return embed(ctx, userId, { candidates: matched, isDue: isRecategorized });
}

/** Whether one of the candidates states the same as one of some others, which were found before and are not stored yet. */
export async function isAnyRepeated(
  ctx: MatchContext,
  userId: string,
  { candidates, before }: Record<'candidates' | 'before', readonly FoundCandidate[]>,
): Promise<boolean> {
  for (const candidate of candidates) {
    for (const earlier of before) {
      if (earlier.polarity !== candidate.polarity) continue;
      if (await areSame(ctx, userId, [earlier, candidate])) return true;
    }
  }
  return false;
}

async function areSame(
  { embedder, reasoner }: MatchContext,
  userId: string,
  [{ statement: known, embedded }, candidate]: readonly [FoundCandidate, FoundCandidate],
): Promise<boolean> {
  if (!embedder || !embedded || !candidate.embedded) return false;
  const likeness = cosine(embedded.vector, candidate.embedded.vector);
  if (likeness < embedder.profile.thresholds.sameFact) return false;
  if (likeness >= SAME) return true;
  return (await reasoner.isSameFact({ known, candidate: candidate.statement }, { userId })).same;
}

/** Gives the candidates that are due their vectors. */
async function embed(
  ctx: MatchContext,
  userId: string,
  {
    candidates,
    isDue,
  }: { candidates: readonly FoundCandidate[]; isDue: (one: FoundCandidate) => boolean },
): Promise<FoundCandidate[]> {
  const { embedder } = ctx;
  const due = candidates.filter(isDue);
  if (!embedder || due.length === 0) return [...candidates];
  const { name } = await embedder.identify();
  const texts = due.map(embeddedTextOf);
  const made = await embedTexts({ ...ctx, embedder }, userId, texts);
  const vectors = new Map(due.map((candidate, place) => [candidate, made[place]]));
  return candidates.map((candidate) => {
    const embedded = vectors.get(candidate);
    const vector = embedded ? vectorOf(embedded) : null;
    const text = embeddedTextOf(candidate);
    return vector ? { ...candidate, embedded: { embedder: name, text, vector } } : candidate;
  });
}

/** Without a key; candidates that name a fact are not compared. */
const isCompared = ({ key, factId }: FoundCandidate): boolean => key === null && factId === null;

/** An update that took the category of the fact that it updates has another vector. */
const isRecategorized = ({ action, embedded, ...candidate }: FoundCandidate): boolean =>
  action === 'UPDATE' && embedded !== undefined && embedded.text !== embeddedTextOf(candidate);

type Words = NonNullable<FoundCandidate['own']>;

/** A candidate's own words, before it takes those of a stored fact. */
export const ownWordsOf = ({ category, key, value, statement }: Words): Words => ({
  category,
  key,
  value,
  statement,
});

async function match(
  { reasoner, embedder, logger, metrics }: MatchContext,
  userId: string,
  { candidate, near }: { candidate: FoundCandidate; near: NearFact | null },
): Promise<FoundCandidate> {
  const least = embedder?.profile.thresholds.sameFact ?? 1;
  if (!near) return candidate;
  metrics.similarity('fact', near.cosine);
  if (near.cosine < least) return candidate;
  const { id, key, value, statement, category } = near;
  const log = (same: boolean, by: 'likeness' | 'reasoner') =>
    logger.info(
      { userId, fact: id, cosine: Number(near.cosine.toFixed(3)), same, by },
      'memory.match',
    );
  const own = ownWordsOf(candidate);
  if (near.cosine >= SAME) {
    log(true, 'likeness');
    const same = { category, key, value, statement, action: 'REINFORCE' as const };
    return { ...candidate, ...same, own, factId: String(id) };
  }
  // A sentence of the user is not merged into a statement that the rules composed: both are kept.
  if (candidate.origin === 'NOTE' && key !== null) return candidate;
  const { same } = await reasoner.isSameFact(
    { known: statement, candidate: candidate.statement },
    { userId },
  );
  log(same, 'reasoner');
  return same
    ? { ...candidate, category, key, own, action: 'UPDATE', factId: String(id) }
    : candidate;
}
