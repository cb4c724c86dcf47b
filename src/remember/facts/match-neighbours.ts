import type { Context } from '../../context.ts';
import type { Neighbour } from '../../db/vectors/fact-vectors.ts';
import { embedTexts, vectorOf } from '../vectors/embed-texts.ts';
import type { FoundClaim } from './settle-claims.ts';

/** From here two statements are the same fact (requirements 9.16). */
const SAME = 0.95;
/** So many claims are compared with all facts by one statement, which is the only one that an embedded database runs then. */
const AT_ONCE = 5;

/**
 * Claims without a key are compared by meaning with what is known: the same fact is only said again, and what the
 * reasoner holds for the same is updated rather than stored beside it.
 */
export async function matchNeighbours(
  ctx: Context,
  userId: string,
  claims: readonly FoundClaim[],
): Promise<FoundClaim[]> {
  const { embedder } = ctx;
  const open = claims.filter(({ key, factId }) => key === null && factId === null);
  if (!embedder || open.length === 0) return [...claims];
  const { name } = await embedder.identify();
  const texts = open.map(({ category, statement }) => `${category.toLowerCase()}: ${statement}`);
  const vectors = (await embedTexts(embedder, userId, texts)).map(vectorOf);
  const asked = open.flatMap((claim, place) => {
    const vector = vectors[place];
    return vector ? [{ place: claims.indexOf(claim), polarity: claim.polarity, vector }] : [];
  });
  const found: Neighbour[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const part = asked.slice(from, from + AT_ONCE);
    found.push(
      ...(await ctx.memory(userId).read((memory) => memory.factVectors.nearest(name, part))),
    );
  }
  const searched = { userId, claims: asked.length, found: found.length };
  ctx.logger.debug(searched, 'memory.search');
  const near = new Map(found.map((neighbour) => [neighbour.place, neighbour]));
  const matched: FoundClaim[] = [];
  for (const [place, claim] of claims.entries()) {
    matched.push(await match(ctx, userId, { claim, near: near.get(place) ?? null }));
  }
  return matched;
}

async function match(
  { reasoner, embedder, logger, metrics }: Context,
  userId: string,
  { claim, near }: { claim: FoundClaim; near: Neighbour | null },
): Promise<FoundClaim> {
  const least = embedder?.profile.thresholds.sameFact ?? 1;
  if (!near) return claim;
  metrics.similarity('fact', near.cosine);
  if (near.cosine < least) return claim;
  const { id, key, value, statement, category } = near;
  const tell = (same: boolean, by: 'likeness' | 'reasoner') =>
    logger.info(
      { userId, fact: id, cosine: Number(near.cosine.toFixed(3)), same, by },
      'memory.match',
    );
  const own = { key: claim.key, value: claim.value, statement: claim.statement };
  if (near.cosine >= SAME) {
    tell(true, 'likeness');
    const same = { category, key, value, statement, action: 'REINFORCE' as const };
    return { ...claim, ...same, own, factId: String(id) };
  }
  // What the user said is no other wording of a statement that rules composed: both may stand.
  if (claim.origin === 'NOTE' && key !== null) return claim;
  const { same } = await reasoner.isSameFact(
    { known: statement, candidate: claim.statement },
    { userId },
  );
  tell(same, 'reasoner');
  return same ? { ...claim, category, key, own, action: 'UPDATE', factId: String(id) } : claim;
}
