import { themeTermsIn } from '../../language/en/theme-terms.ts';
import { isSpoken, type Role } from '../../shared/role.ts';
import { type Logistic, logitOf, sigmoid } from '../core/logistic.ts';
import { fittedCosine, sumOf } from '../core/vector.ts';

/** What a stretch of talk is about, for comparing it with another. */
export type Theme = {
  /** The distinct terms that were said, without those that occur in talk of every theme. */
  terms: ReadonlySet<string>;
  /** Sum of the spoken turns' vectors; null without an embedder. */
  said: Float32Array | null;
  /** Vector of "title. summary"; null without an embedder. */
  described: Float32Array | null;
};

/** What a theme is read from. */
export type ThemeInput = {
  turns: readonly { role: Role; text: string }[];
  /** The turns' vectors in their order; null where one is missing. */
  vectors: readonly (Float32Array | null)[];
  /** The vector of "title. summary". */
  described: Float32Array | null;
};

export function themeOf({ turns, vectors, described }: ThemeInput): Theme {
  const spoken = turns.some(isSpoken) ? turns.filter(isSpoken) : turns;
  const terms = spoken.flatMap(({ text }) => themeTermsIn(text));
  const of = new Set(spoken);
  const spokenVectors = vectors.filter(
    (vector, turn) => vector !== null && of.has(turns[turn] as (typeof turns)[number]),
  ) as Float32Array[];
  const said = spokenVectors.length > 0 ? sumOf(spokenVectors) : null;
  return { terms: new Set(terms), said, described };
}

/** From the cosine of the sums of vectors, the share of common terms and the cosine of the descriptions. */
const BOTH: Logistic = { intercept: -8.62, weights: [8.19, 15.55, 6.11] };
/** From the share of common terms alone. */
const WORDS: Logistic = { intercept: -3, weights: [32] };

/**
 * The probability that two stretches of talk have the same theme. By logistic regression over pairs of segments with the same
 * and with different themes.
 *
 * @param novelty the threshold of that name in the embedding profile, by which cosines are stretched to the scale of the weights
 */
export function themeLikeness(a: Theme, b: Theme, novelty: number): number {
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const overlap = shared / Math.sqrt(Math.max(1, a.terms.size) * Math.max(1, b.terms.size));
  if (!a.said || !b.said || !a.described || !b.described)
    return shared === 0 ? 0 : sigmoid(logitOf(WORDS, [overlap]));
  const likeness = fittedCosine(novelty);
  return sigmoid(
    logitOf(BOTH, [likeness(a.said, b.said), overlap, likeness(a.described, b.described)]),
  );
}

/** The share of a theme's terms that the others do not contain, 0-1; 1 if there are no others. */
export function newShareOf(theme: Theme, others: readonly Theme[]): number {
  if (theme.terms.size === 0 || others.length === 0) return 1;
  const fresh = [...theme.terms].filter((term) => !others.some(({ terms }) => terms.has(term)));
  return fresh.length / theme.terms.size;
}
