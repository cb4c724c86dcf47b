import type { MemoryContext, Needs } from '../../context.ts';
import type { NearFact } from '../../db/kinds/facts/nearest-facts.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import type { FoundCandidate } from './reconcile-facts.ts';

/** The cosine from which two statements are the same fact (requirements 9.16). */
const SAME = 0.95;
/** Candidates compared by one statement. An embedded database runs nothing else meanwhile. */
const AT_ONCE = 5;

/**
 * Compares candidates without a key with the stored facts by semantic similarity. A nearly identical fact is reinforced; one
 * that the reasoner judges to be the same is updated instead of storing the candidate beside it.
 */
export async function matchNeighbours(
  ctx: MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>,
  userId: string,
  candidates: readonly FoundCandidate[],
): Promise<FoundCandidate[]> {
  const { embedder } = ctx;
  const keyless = candidates.filter(({ key, factId }) => key === null && factId === null);
  if (!embedder || keyless.length === 0) return [...candidates];
  const { name } = await embedder.identify();
  const texts = keyless.map(({ category, statement }) => `${category.toLowerCase()}: ${statement}`);
  const vectors = (await embedTexts({ ...ctx, embedder }, userId, texts)).map(vectorOf);
  const searches = keyless.flatMap((candidate, place) => {
    const vector = vectors[place];
    return vector
      ? [{ place: candidates.indexOf(candidate), polarity: candidate.polarity, vector }]
      : [];
  });
  const found: NearFact[] = [];
  for (let from = 0; from < searches.length; from += AT_ONCE) {
    const part = searches.slice(from, from + AT_ONCE);
    // Planned anew each time, it would take as long to plan as to run.
    const near = await ctx
      .memory(userId)
      .read((memory) => memory.factVectors.nearest(name, part), { generic: true });
    found.push(...near);
  }
  const searched = { userId, candidates: searches.length, found: found.length };
  ctx.logger.debug(searched, 'memory.search');
  const near = new Map(found.map((neighbour) => [neighbour.place, neighbour]));
  const matched: FoundCandidate[] = [];
  for (const [place, candidate] of candidates.entries()) {
    matched.push(await match(ctx, userId, { candidate, near: near.get(place) ?? null }));
  }
  return matched;
}

async function match(
  { reasoner, embedder, logger, metrics }: Needs<'embedder' | 'reasoner' | 'logger' | 'metrics'>,
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
  const wording = { key: candidate.key, value: candidate.value, statement: candidate.statement };
  if (near.cosine >= SAME) {
    log(true, 'likeness');
    const same = { category, key, value, statement, action: 'REINFORCE' as const };
    return { ...candidate, ...same, own: wording, factId: String(id) };
  }
  // A sentence of the user is not merged into a statement that the rules composed: both are kept.
  if (candidate.origin === 'NOTE' && key !== null) return candidate;
  const { same } = await reasoner.isSameFact(
    { known: statement, candidate: candidate.statement },
    { userId },
  );
  log(same, 'reasoner');
  return same
    ? { ...candidate, category, key, own: wording, action: 'UPDATE', factId: String(id) }
    : candidate;
}
