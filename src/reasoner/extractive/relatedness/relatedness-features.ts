import { sumOf } from '../../../domain/core/vector.ts';
import { entityWords, groundWeight, matterWeight } from '../../../domain/links/linking-parts.ts';
import { termsOf } from '../../../language/text/terms.ts';
import { detailsOf } from '../text/details.ts';
import type { SemanticSimilarity } from '../text/semantic-similarity.ts';
import { continuationOf } from './continuation.ts';

/** The features that show that two groups of turns are about the same thing. The first three need vectors. */
export const RELATEDNESS_FEATURES = [
  'centroid',
  'chamfer',
  'opening',
  'overlap',
  'shared',
  'entities',
  'threadLength',
  'messageLength',
  'continuation',
] as const;
export type RelatednessFeature = (typeof RELATEDNESS_FEATURES)[number];
/** Features that cannot be computed are missing. */
export type RelatednessFeatures = Partial<Record<RelatednessFeature, number>>;

/** One side of a comparison; `vectors`: one for each text, null without an embedder. */
export type Side = { texts: readonly string[]; vectors: Vectors | null };
type Vectors = readonly Float32Array[];
type VectorLikeness = SemanticSimilarity['likeness'];

/** The likeness of a vector and the most similar of the others. */
const bestMatch = (own: Float32Array | undefined, others: Vectors, like: VectorLikeness) =>
  own === undefined ? 0 : Math.max(...others.map((other) => like(own, other)));

/** The mean likeness of each vector and its best match on the other side, in both directions. */
function chamfer(a: Vectors, b: Vectors, like: VectorLikeness): number {
  const oneWay = (from: Vectors, to: Vectors) =>
    from.reduce((sum, vector) => sum + bestMatch(vector, to, like), 0) / from.length;
  return (oneWay(a, b) + oneWay(b, a)) / 2;
}

type Bag = Map<string, number>;

function bagOf(texts: readonly string[]): Bag {
  const bag = new Map<string, number>();
  for (const text of texts)
    for (const term of termsOf(text).keys()) bag.set(term, matterWeight(term));
  return bag;
}

/** Two bags with the weights by which they are compared with each other. */
function comparedBags(a: Bag, b: Bag): [Bag, Bag] {
  const weightOf = groundWeight(a, b, matterWeight);
  const weighed = (bag: Bag) => new Map([...bag.keys()].map((term) => [term, weightOf(term)]));
  return [weighed(a), weighed(b)];
}

const total = (values: Iterable<number>): number => [...values].reduce((sum, one) => sum + one, 0);

const namesOf = (texts: readonly string[]): string[] => texts.flatMap(detailsOf);

/** Computes the features of a thread's last turns and a message's turns. Neither may be empty. */
export function relatednessFeatures(
  thread: Side,
  message: Side,
  similarity: Pick<SemanticSimilarity, 'likeness'> | null,
): RelatednessFeatures {
  const [left, right] = comparedBags(bagOf(thread.texts), bagOf(message.texts));
  const weight = total([...left].map(([term, one]) => (right.has(term) ? one : 0)));
  const all = total(left.values()) + total(right.values()) - weight;
  const smaller = Math.min(total(left.values()), total(right.values()));
  const others = new Set(entityWords(namesOf(message.texts)));
  const both = entityWords(namesOf(thread.texts)).filter((name) => others.has(name)).length;
  const words = {
    overlap: all > 0 ? weight / all : 0,
    shared: smaller > 0 ? weight / smaller : 0,
    entities: Math.min(both, 3) / 3,
    threadLength: Math.log1p(left.size),
    messageLength: Math.log1p(right.size),
    continuation: continuationOf(message.texts[0] ?? ''),
  };
  if (thread.vectors === null || message.vectors === null || similarity === null) return words;
  const { likeness } = similarity;
  return {
    centroid: likeness(sumOf(thread.vectors), sumOf(message.vectors)),
    chamfer: chamfer(thread.vectors, message.vectors, likeness),
    opening: bestMatch(message.vectors[0], thread.vectors, likeness),
    ...words,
  };
}

/** Words of time and place that any two talks share. */
const ANYWHERE = /^(?:now|then|again|since|once|ago|here|there|today|tonight|tomorrow|yesterday)$/;

/** The words and names that both sides use, in the order of the message. */
export function commonGround(
  thread: readonly string[],
  message: readonly string[],
): { words: string[]; names: string[] } {
  const known = bagOf(thread);
  const earlier = new Set(namesOf(thread));
  const names = [...new Set(namesOf(message))].filter((name) => earlier.has(name));
  const named = names.join(' ').toLowerCase();
  const said =
    message
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const words = said.filter(
    (word) =>
      !named.includes(word) &&
      !ANYWHERE.test(word) &&
      [...termsOf(word).keys()].some((term) => (known.get(term) ?? 0) >= 1),
  );
  return { words: [...new Set(words)], names };
}
