import { isEverydayTerm } from '../../language/en/everyday-terms.ts';
import { namedIn } from '../../language/en/named.ts';
import { termWeight } from '../../language/en/term-weight.ts';
import { termsOf } from '../../language/text/terms.ts';
import { HOUR } from '../../shared/duration.ts';
import { type Logistic, logitOf, sigmoid } from '../core/logistic.ts';
import { fittedCosine } from '../core/vector.ts';

/**
 * The probability that two stretches of talk belong together, by one measure alone, if half of all pairs do: 0.5 says
 * nothing. Logistic regressions of one variable each, over the pairs of eval:linking from TIAGE and DialSeg711 and those of
 * eval:chats, each set weighing the same (`npm run fit:relatedness`).
 */
const CALIBRATION = {
  keyword: { intercept: -1.49, weights: [26.4] },
  entity: { intercept: -0.53, weights: [6.6] },
  topic: { intercept: -5.24, weights: [14.2] },
} satisfies Record<string, Logistic>;

const chanceBy = (model: Logistic, measure: number | null): number | null =>
  measure === null ? null : sigmoid(logitOf(model, [measure]));

/** The features by which two stretches of talk are compared. */
export type Talk = {
  /** Keyword terms without names of times. */
  terms: ReadonlySet<string>;
  /** Words of names, and figures. */
  entities: ReadonlySet<string>;
  /** Words of time: "thursday", "next week". */
  times: ReadonlySet<string>;
  /** The vector of each turn that has one. */
  vectors: readonly Float32Array[];
};

/** A number of one or two digits may mean anything: an hour, a count, a day of the month. */
const SMALL_FIGURE = /^\d{1,2}$/;
/** A round sum or count. */
const ROUND_FIGURE = /^[\d.,]*00$/;
const FIGURE = /^[\d.,]+$/;
/** The weight of what may occur anywhere. */
const LITTLE = 0.25;

/** How much a term says about the topic, 0-1, before its rarity in the talk. */
export const matterWeight = (term: string): number =>
  SMALL_FIGURE.test(term) ? LITTLE : termWeight(term);

/** Names and numbers as lower-case words, each once; numbers that may mean anything are left out. */
export const entityWords = (named: readonly string[]): string[] => [
  ...new Set(
    named
      .flatMap((name) => name.toLowerCase().split(/\s+/))
      .filter((word) => !SMALL_FIGURE.test(word)),
  ),
];

/** Reads the texts of spoken turns; entities are normalised to lower-case words. */
export function talkOf(texts: readonly string[], vectors: readonly Float32Array[]): Talk {
  const named = texts.map(namedIn);
  const times = new Set(named.flatMap(({ dates }) => dates.map((date) => date.toLowerCase())));
  const ofTime = new Set([...times].flatMap((time) => [...termsOf(time).keys()]));
  const terms = texts.flatMap((text) => [...termsOf(text).keys()]);
  return {
    terms: new Set(terms.filter((term) => !ofTime.has(term))),
    entities: new Set(
      entityWords(named.flatMap(({ names, numbers }) => [...names, ...numbers])).filter(
        (word) => !times.has(word),
      ),
    ),
    times,
    vectors,
  };
}

/** From this many threads, a user's own statistics weigh as much as the general weights of English terms. */
const PRIOR_THREADS = 20;

/** Weighs a term by how much it says about the topic. */
type TermWeight = (term: string) => number;

/**
 * The weight of a term: its weight in English, times its rarity in the user's threads, ln((threads + 1) / (threads
 * with it + ½)) over its highest value, as far as there are enough threads to say.
 */
export function termWeigher(threads: number, threadsWith: ReadonlyMap<string, number>): TermWeight {
  const most = Math.log((threads + 1) / 1.5);
  return (term) => {
    const rarity =
      most > 0 ? Math.log((threads + 1) / ((threadsWith.get(term) ?? 1) + 0.5)) / most : 1;
    const share = Math.max(0, Math.min(1, rarity));
    return (matterWeight(term) * (PRIOR_THREADS + threads * share)) / (PRIOR_THREADS + threads);
  };
}

const weigh = (terms: Iterable<string>, weightOf: TermWeight): number => {
  let sum = 0;
  for (const term of terms) sum += weightOf(term);
  return sum;
};

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((item) => b.has(item));

/** Terms below this weight say nothing about a topic: "what is it on Thursday?" */
const SOME_MATTER = 0.75;

/** A set of terms, or a map by terms. */
type Terms = { keys(): Iterable<string>; has(term: string): boolean };

/** Whether a term may occur in talk about anything. */
const isAnywhere = (term: string): boolean => isEverydayTerm(term) || ROUND_FIGURE.test(term);

/**
 * The weights by which two sides are compared. If what they share is at least half everyday terms ("mum", "three
 * years", "200"), these say little; beside more that is shared, they count in full.
 */
export function groundWeight(a: Terms, b: Terms, weightOf: TermWeight): TermWeight {
  let [everyday, others] = [0, 0];
  for (const term of a.keys()) {
    if (!b.has(term)) continue;
    if (isAnywhere(term)) everyday += 1;
    else if (matterWeight(term) >= SOME_MATTER) others += 1;
  }
  if (everyday === 0 || others > everyday) return weightOf;
  return (term) => weightOf(term) * (isAnywhere(term) ? LITTLE : 1);
}

/** Idf-weighted overlap (weighted Jaccard) of the terms, 0-1; null if a side has no term with enough weight. */
export function keywordOverlap(a: Talk, b: Talk, weightOf: TermWeight): number | null {
  if (Math.min(weigh(a.terms, weightOf), weigh(b.terms, weightOf)) < SOME_MATTER) return null;
  const counted = groundWeight(a.terms, b.terms, weightOf);
  const [left, right] = [weigh(a.terms, counted), weigh(b.terms, counted)];
  const both = weigh(shared(a.terms, b.terms), counted);
  return both / (left + right - both);
}

/**
 * Overlap of normalised entities (cosine of the sets), 0-1. Times that both name count as shared; other times say nothing.
 * Figures count little if no name is shared. Null where a side names nothing.
 */
export function entityOverlap(a: Talk, b: Talk): number | null {
  const times = shared(a.times, b.times).length;
  const [left, right] = [a.entities.size + times, b.entities.size + times];
  if (left === 0 || right === 0) return null;
  const common = shared(a.entities, b.entities);
  const names = common.filter((entity) => !FIGURE.test(entity)).length;
  // Two matters may have a price in common by chance; beside a name that both have, it counts.
  const figures = (common.length - names) * (names > 0 ? 1 : LITTLE);
  const both = names + figures + times;
  return both / Math.sqrt(left * right);
}

/**
 * Mean cosine of each turn's vector with the most alike of the other side, both ways (chamfer). Null without vectors.
 * @param novelty the embedding profile's threshold of that name
 */
export function topicNearness(a: Talk, b: Talk, novelty: number): number | null {
  if (a.vectors.length === 0 || b.vectors.length === 0) return null;
  const likeness = fittedCosine(novelty);
  const oneWay = (from: Talk, to: Talk) =>
    from.vectors.reduce(
      (sum, vector) => sum + Math.max(...to.vectors.map((other) => likeness(vector, other))),
      0,
    ) / from.vectors.length;
  return (oneWay(a, b) + oneWay(b, a)) / 2;
}

/** The three measures, each calibrated to a probability; null where one cannot be computed. */
export const keywordMatch = (a: Talk, b: Talk, weightOf: TermWeight): number | null =>
  chanceBy(CALIBRATION.keyword, keywordOverlap(a, b, weightOf));
export const entityMatch = (a: Talk, b: Talk): number | null =>
  chanceBy(CALIBRATION.entity, entityOverlap(a, b));
export const topicMatch = (a: Talk, b: Talk, novelty: number): number | null =>
  chanceBy(CALIBRATION.topic, topicNearness(a, b, novelty));

/** e^(−silence / window): 1 right after one another, 0.37 a whole window later. */
export function recencyScore(earlier: Date, later: Date, windowHours: number): number {
  const silence = Math.max(0, later.getTime() - earlier.getTime());
  return Math.exp(-silence / (windowHours * HOUR));
}

/** Below this, recency says nothing about whether a topic is taken up again. */
const LONG_AGO = recencyScore(new Date(0), new Date(2 * HOUR), 1);

/** Recency as a part of the score; null after more than two windows. */
export function recencyMatch(earlier: Date, later: Date, windowHours: number): number | null {
  const score = recencyScore(earlier, later, windowHours);
  return score < LONG_AGO ? null : score;
}
