import type { CandidateFact, StoredFact } from './fact.ts';
import { isSameSubject, normalValue, personKeyOf, relationPart, subjectOf } from './fact-key.ts';

/** Candidates below these are not stored (requirements 9.8). */
const LEAST_CONFIDENCE = 0.4;
const LEAST_IMPORTANCE = 0.2;

/** A fact that is believed, and the time for which it is true; `validTo` null = still. */
export type DatedFact = StoredFact & {
  confidence: number;
  validFrom: Date;
  validTo: Date | null;
  /** The turn in which it became true: it orders facts of the same time; null = entered by hand, or not known. */
  turnId?: number | null;
};

/** A candidate fact, and when its turn was said. */
export type DatedCandidate = Omit<CandidateFact, 'turn'> & {
  at: Date;
  turnId?: number | null;
  /** The id by which later candidates name this one, if they were read before it was stored. */
  draftId?: string | undefined;
};

/** Why a candidate was not stored. */
type RefusalReason = 'weak' | 'less sure';

/** One change that reconciling makes. */
export type FactChange<C extends DatedCandidate> =
  /** A new fact with this id, true from the candidate's time on, until the fact `by` begins, if one is known to follow. */
  | { kind: 'insert'; id: string; candidate: C; validTo: Date | null; by: string | null }
  /** A fact that ends when another begins. */
  | { kind: 'close'; id: string; validTo: Date; by: string }
  /** The same fact was true at an earlier time, too. */
  | { kind: 'extend'; id: string; validFrom: Date; candidate: C }
  /** The same was said again. */
  | { kind: 'reinforce'; id: string; candidate: C }
  /** Refused because of a more confident fact, or for being too weak (`by` null). */
  | { kind: 'refuse'; candidate: C; reason: RefusalReason; by: string | null }
  /** A person who was known by a relation now has a name. */
  | { kind: 'rekey'; id: string; key: string };

/** The result of reconciling: the changes in order, and all facts that are believed after them. */
export type Reconciled<C extends DatedCandidate> = { changes: FactChange<C>[]; facts: DatedFact[] };

/** The result so far, and the facts that candidates with a draft id became. */
type Reconciling<C extends DatedCandidate> = Reconciled<C> & { drafts: Map<string, string> };

/**
 * Reconciles candidates, in their order, with the facts that are believed (requirements 9.10). Nothing is overwritten: a fact
 * that is superseded keeps its period, and a candidate about the past only adds closed history. No two facts about one
 * subject are true at the same time.
 * @param newId makes the ids of new facts
 */
export function reconcileFacts<C extends DatedCandidate>(
  storedFacts: readonly DatedFact[],
  candidates: readonly C[],
  newId: () => string,
): Reconciled<C> {
  const reconciling: Reconciling<C> = { changes: [], facts: [...storedFacts], drafts: new Map() };
  for (const candidate of candidates) reconcile(reconciling, candidate, newId);
  const { changes, facts } = reconciling;
  return { changes, facts };
}

function reconcile<C extends DatedCandidate>(
  reconciled: Reconciling<C>,
  candidate: C,
  newId: () => string,
): void {
  const { changes, drafts } = reconciled;
  if (candidate.confidence < LEAST_CONFIDENCE || candidate.importance < LEAST_IMPORTANCE) {
    changes.push({ kind: 'refuse', candidate, reason: 'weak', by: null });
    return;
  }
  nameRelation(reconciled, candidate);
  const subject = subjectOf(candidate);
  const rivals = reconciled.facts.filter((fact) => isSameSubject(subjectOf(fact), subject));
  const holding = reconciled.facts.filter(
    (fact) =>
      (rivals.includes(fact) || isNamed(fact, candidate, drafts)) && holdsAt(fact, candidate),
  );
  const same = holding.find((fact) => isSame(fact, candidate));
  const others = holding.filter((fact) => fact !== same);
  const surer = others.find((fact) => !wins(candidate, fact));
  if (surer) {
    changes.push({ kind: 'refuse', candidate, reason: 'less sure', by: surer.id });
    return;
  }
  const next = firstAfter(rivals, candidate);
  const ends = earliest([...others.map(({ validTo }) => validTo), next?.validFrom ?? null]);
  const id = same?.id ?? (next && continues(next, candidate, ends) ? next.id : newId());
  if (candidate.draftId !== undefined) drafts.set(candidate.draftId, id);
  for (const fact of others) close(reconciled, fact, candidate.at, id);
  if (same) reinforce(reconciled, same, candidate);
  else if (next?.id === id) extend(reconciled, next, candidate);
  else insert(reconciled, candidate, { id, validTo: ends, by: heirAt(next, ends) });
}

const holdsAt = (fact: DatedFact, candidate: DatedCandidate): boolean =>
  !isAfter(fact, candidate) && (fact.validTo === null || candidate.at < fact.validTo);

/** Turns of one call may have the same time; then their ids decide. */
const isAfter = (
  { validFrom, turnId }: DatedFact,
  { at, turnId: candidateTurn }: DatedCandidate,
): boolean =>
  validFrom.getTime() === at.getTime()
    ? turnId != null && candidateTurn != null && turnId > candidateTurn
    : validFrom > at;

/** The fact that the candidate itself says it changes. */
const isNamed = (
  fact: DatedFact,
  { factId, action }: DatedCandidate,
  drafts: ReadonlyMap<string, string>,
): boolean =>
  factId !== null && fact.id === (drafts.get(factId) ?? factId) && action !== 'REINFORCE';

const isSame = (fact: DatedFact, candidate: DatedCandidate): boolean =>
  fact.polarity === candidate.polarity &&
  fact.key === candidate.key &&
  normalValue(fact.value) === normalValue(candidate.value);

/** The candidate wins if it is at least as confident, corrects the fact, or affirms what the fact denies. */
const wins = (candidate: DatedCandidate, fact: DatedFact): boolean =>
  candidate.isCorrection ||
  candidate.action === 'INVALIDATE' ||
  candidate.confidence >= fact.confidence ||
  (candidate.polarity === 'POSITIVE' && fact.polarity === 'NEGATIVE');

const firstAfter = (facts: readonly DatedFact[], candidate: DatedCandidate): DatedFact | null =>
  facts
    .filter((fact) => isAfter(fact, candidate))
    .reduce<DatedFact | null>(
      (first, fact) => (first && first.validFrom <= fact.validFrom ? first : fact),
      null,
    );

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, at) => (at && (!first || at < first) ? at : first), null);

/** The next fact, if it begins where the candidate would end: it takes the candidate's place then. */
const heirAt = (next: DatedFact | null, ends: Date | null): string | null =>
  next && ends?.getTime() === next.validFrom.getTime() ? next.id : null;

/** Whether the next fact states the same and begins where the candidate would end. */
const continues = (next: DatedFact, candidate: DatedCandidate, ends: Date | null): boolean =>
  isSame(next, candidate) && heirAt(next, ends) !== null;

function change<C extends DatedCandidate>(
  reconciled: Reconciled<C>,
  id: string,
  to: Partial<DatedFact>,
): void {
  const place = reconciled.facts.findIndex((fact) => fact.id === id);
  const changed = { ...(reconciled.facts[place] as DatedFact), ...to };
  reconciled.facts = reconciled.facts.with(place, changed);
}

function close<C extends DatedCandidate>(
  reconciled: Reconciled<C>,
  { id }: DatedFact,
  validTo: Date,
  by: string,
): void {
  change(reconciled, id, { validTo });
  reconciled.changes.push({ kind: 'close', id, validTo, by });
}

function reinforce<C extends DatedCandidate>(
  reconciled: Reconciled<C>,
  fact: DatedFact,
  candidate: C,
): void {
  change(reconciled, fact.id, { confidence: Math.max(fact.confidence, candidate.confidence) });
  reconciled.changes.push({ kind: 'reinforce', id: fact.id, candidate });
}

function extend<C extends DatedCandidate>(
  reconciled: Reconciled<C>,
  { id }: DatedFact,
  candidate: C,
): void {
  change(reconciled, id, { validFrom: candidate.at, turnId: candidate.turnId ?? null });
  reconciled.changes.push({ kind: 'extend', id, validFrom: candidate.at, candidate });
}

function insert<C extends DatedCandidate>(
  reconciled: Reconciled<C>,
  candidate: C,
  { id, validTo, by }: { id: string; validTo: Date | null; by: string | null },
): void {
  const { category, key, value, statement, polarity, confidence, at: validFrom } = candidate;
  const fields = { category, key, value, statement, polarity, confidence };
  const turnId = candidate.turnId ?? null;
  reconciled.facts.push({ ...fields, id, validFrom, validTo, turnId });
  reconciled.changes.push({ kind: 'insert', id, candidate, validTo, by });
}

/** "My sister's name is Melanie": moves the facts about "sister" to keys with the name. */
function nameRelation<C extends DatedCandidate>(reconciled: Reconciled<C>, candidate: C): void {
  const named = personKeyOf(candidate.key);
  if (named?.attribute !== 'relation' || candidate.polarity === 'NEGATIVE') return;
  const relation = relationPart(candidate.value);
  if (relation === named.who) return;
  for (const fact of reconciled.facts) {
    const personKey = personKeyOf(fact.key);
    if (personKey?.who !== relation || fact.validTo !== null) continue;
    const key = `person:${named.who}:${personKey.attribute}`;
    // If a fact under the name exists already, that one stays.
    if (reconciled.facts.some((other) => other.key === key && other.validTo === null)) continue;
    change(reconciled, fact.id, { key });
    reconciled.changes.push({ kind: 'rekey', id: fact.id, key });
  }
}
