import { termsOf } from '../../language/text/terms.ts';
import { type PerGap, zScores } from './gap-statistics.ts';

/** The terms of a conversation's turns, and where they occur. */
export type TalkWords = {
  /** Distinct terms of each turn. */
  terms: readonly ReadonlySet<string>[];
  /** First and last turn of each term. */
  spans: ReadonlyMap<string, { first: number; last: number }>;
  /** The rarity of a term in this conversation: ln((turns + 1) / (turns with it + ½)). */
  rarity: (term: string) => number;
};

export function readWords(texts: readonly string[]): TalkWords {
  const terms = texts.map((text) => new Set(termsOf(text).keys()));
  const spans = new Map<string, { first: number; last: number }>();
  const turnsWith = new Map<string, number>();
  for (const [turn, ofTurn] of terms.entries()) {
    for (const term of ofTurn) {
      turnsWith.set(term, (turnsWith.get(term) ?? 0) + 1);
      spans.set(term, { first: spans.get(term)?.first ?? turn, last: turn });
    }
  }
  const rarity = (term: string) =>
    Math.log((texts.length + 1) / ((turnsWith.get(term) ?? 0) + 0.5));
  return { terms, spans, rarity };
}

/** Tf-rarity cosine of two turns with binary frequencies, damped for turns of few words; 0-1. */
export function wordLikeness({ terms, rarity }: TalkWords): (a: number, b: number) => number {
  const lengths = terms.map((ofTurn) =>
    Math.sqrt([...ofTurn].reduce((sum, t) => sum + rarity(t) ** 2, 4)),
  );
  return (a, b) => {
    let shared = 0;
    for (const term of terms[a] ?? []) if (terms[b]?.has(term)) shared += rarity(term) ** 2;
    return shared / ((lengths[a] ?? 1) * (lengths[b] ?? 1));
  };
}

/** The features of every gap from the turns' words. */
export function wordFeatures(words: TalkWords) {
  const { terms, spans, rarity } = words;
  const turns = terms.length;
  const gaps = Array.from({ length: turns - 1 }, (_, index) => index + 1);
  const bag = (from: number, to: number) =>
    new Set(terms.slice(Math.max(0, from), to).flatMap((ofTurn) => [...ofTurn]));
  const weigh = (some: Iterable<string>) => [...some].reduce((sum, term) => sum + rarity(term), 0);
  const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
    weigh([...a].filter((term) => b.has(term)));
  const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
    shared(a, b) / Math.sqrt(Math.max(1, weigh(a) * weigh(b)));
  const around = (side: number): PerGap =>
    gaps.map((at) => overlap(bag(at - side, at), bag(at, at + side)));
  const termsAt = (at: number) => [...(terms[at] ?? [])];
  const isNew = (at: number) => (term: string) => spans.get(term)?.first === at;
  const share = (of: string[], test: (term: string) => boolean) =>
    of.length === 0 ? 0.5 : of.filter(test).length / of.length;
  const crossing: PerGap = gaps.map((at) =>
    weigh(
      [...spans].flatMap(([term, { first, last }]) => (first < at && last >= at ? [term] : [])),
    ),
  );
  const [overlap1, overlap2] = [around(1), around(2)];
  const newTerms: PerGap = gaps.map((at) => termsAt(at).filter(isNew(at)).length);
  return {
    overlap1,
    overlap2,
    overlap1Z: zScores(overlap1),
    overlap2Z: zScores(overlap2),
    overlapBack: gaps.map((at) => overlap(bag(at - 4, at), bag(at, at + 2))),
    crossing: crossing.map(Math.log1p),
    crossingZ: zScores(crossing),
    crossingNear: gaps.map((at) => Math.log1p(shared(bag(at - 5, at), bag(at, at + 5)))),
    newTermsZ: zScores(newTerms),
    newShare: gaps.map((at) => share(termsAt(at), isNew(at))),
    newLater: gaps.map((at) =>
      Math.log1p(termsAt(at).filter((t) => isNew(at)(t) && (spans.get(t)?.last ?? at) > at).length),
    ),
    endsTerms: gaps.map((at) => share(termsAt(at - 1), (term) => spans.get(term)?.last === at - 1)),
    noTerms: gaps.map((at) => (termsAt(at).length === 0 ? 1 : 0)),
  };
}
