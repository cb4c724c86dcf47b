import type { CandidateFact, KnownFact } from './fact.ts';
import { isSameSubject, normalValue, personKeyOf, relationPart } from './fact-key.ts';

/** Candidates under these are not stored (system.md §5). */
const LEAST_CONFIDENCE = 0.4;
const LEAST_IMPORTANCE = 0.2;

/** What an active fact must tell for conflicts to be settled. */
export type HeldFact = KnownFact & { confidence: number };

/** What became of the candidates: `H` is the caller's row, a candidate that won has none yet. */
export type Folded<H extends HeldFact> = {
  /** What holds now, in order of arrival. */
  active: (H | CandidateFact)[];
  superseded: { fact: H | CandidateFact; by: CandidateFact }[];
  /** The same said again. */
  reinforced: { fact: H | CandidateFact; by: CandidateFact }[];
  /** Kept out by a surer fact, or too weak to keep (`by` null). */
  refused: { candidate: CandidateFact; by: H | CandidateFact | null }[];
  /** Facts of a person known by a relation, who has a name now. */
  rekeyed: { fact: H; key: string }[];
};

const isSame = (fact: HeldFact | CandidateFact, candidate: CandidateFact): boolean =>
  fact.polarity === candidate.polarity &&
  fact.key === candidate.key &&
  normalValue(fact.value) === normalValue(candidate.value);

/** The new value wins if it is at least as sure as the old one, or corrects it (system.md §5). */
const wins = (candidate: CandidateFact, fact: HeldFact | CandidateFact): boolean =>
  candidate.isCorrection ||
  candidate.action === 'INVALIDATE' ||
  candidate.confidence >= fact.confidence;

const idOf = (fact: HeldFact | CandidateFact): string | null => ('id' in fact ? fact.id : null);

/**
 * Folds candidates, in the order they were said, into the facts that hold. Nothing is changed in
 * place. A candidate displaces every fact about the same thing, and the one that it names itself.
 */
export function foldFacts<H extends HeldFact>(
  held: readonly H[],
  candidates: readonly CandidateFact[],
): Folded<H> {
  const folded: Folded<H> = {
    active: [...held],
    superseded: [],
    reinforced: [],
    refused: [],
    rekeyed: [],
  };
  for (const candidate of candidates) fold(folded, candidate);
  return folded;
}

function fold<H extends HeldFact>(folded: Folded<H>, candidate: CandidateFact): void {
  if (candidate.confidence < LEAST_CONFIDENCE || candidate.importance < LEAST_IMPORTANCE) {
    folded.refused.push({ candidate, by: null });
    return;
  }
  nameRelation(folded, candidate);
  const same = folded.active.find((fact) => isSame(fact, candidate));
  const others = folded.active.filter((fact) => fact !== same && isRival(fact, candidate));
  const stronger = others.find((fact) => !wins(candidate, fact));
  if (stronger) {
    folded.refused.push({ candidate, by: stronger });
    return;
  }
  folded.active = folded.active.filter((fact) => !others.includes(fact));
  folded.superseded.push(...others.map((fact) => ({ fact, by: candidate })));
  if (same) folded.reinforced.push({ fact: same, by: candidate });
  else folded.active.push(candidate);
}

const isRival = (fact: HeldFact | CandidateFact, candidate: CandidateFact): boolean =>
  isSameSubject(fact, candidate) ||
  (candidate.factId !== null &&
    candidate.action !== 'REINFORCE' &&
    idOf(fact) === candidate.factId);

/** "My sister's name is Melanie": what was known of the sister is known of Melanie. */
function nameRelation<H extends HeldFact>(folded: Folded<H>, candidate: CandidateFact): void {
  const named = personKeyOf(candidate.key);
  if (named?.attribute !== 'relation' || candidate.polarity === 'NEGATIVE') return;
  const relation = relationPart(candidate.value);
  if (relation === named.who) return;
  folded.active = folded.active.map((fact) => {
    const known = personKeyOf(fact.key);
    if (known?.who !== relation) return fact;
    const key = `person:${named.who}:${known.attribute}`;
    if ('id' in fact) folded.rekeyed.push({ fact, key });
    return { ...fact, key };
  });
}
