import type { CandidateFact, StoredFact } from './fact.ts';
import {
  isSameSubject,
  normalValue,
  personKeyOf,
  relationPart,
  type Subject,
  subjectOf,
} from './fact-key.ts';

/** Candidates under these are not stored (requirements 9.8). */
const LEAST_CONFIDENCE = 0.4;
const LEAST_IMPORTANCE = 0.2;

/** A fact that is believed, and from when to when it holds; `validTo` null = still. */
export type DatedFact = StoredFact & {
  confidence: number;
  validFrom: Date;
  validTo: Date | null;
  /** The turn that it holds from, which orders what was said at one time; null = told by hand, or not known. */
  turnId?: number | null;
};

/** A candidate, and when its turn was said. */
export type Claim = Omit<CandidateFact, 'turn'> & { at: Date; turnId?: number | null };

/** Why a claim was not stored. */
type RefusalReason = 'weak' | 'less sure';

/** One step of settling claims, in order. */
export type FactChange<C extends Claim> =
  /** A new fact of that id, which held from the claim's time on. */
  | { kind: 'insert'; id: string; claim: C; validTo: Date | null }
  /** A fact ended when another began. */
  | { kind: 'close'; id: string; validTo: Date; by: string }
  /** The same was said of an earlier time, too. */
  | { kind: 'extend'; id: string; validFrom: Date; claim: C }
  /** The same was said again. */
  | { kind: 'reinforce'; id: string; claim: C }
  /** Kept out by a surer fact, or too weak (`by` null). */
  | { kind: 'refuse'; claim: C; reason: RefusalReason; by: string | null }
  /** A person known by a relation has a name now. */
  | { kind: 'rekey'; id: string; key: string };

/** What became of claims: the changes in order, and all facts that are believed after them. */
export type Settled<C extends Claim> = { changes: FactChange<C>[]; facts: DatedFact[] };

/** Beside each fact stands what it is about. */
type Settling<C extends Claim> = Settled<C> & { subjects: Subject[] };

/**
 * Settles claims, in the order they came, against what is believed (requirements 9.10). Nothing is overwritten: a fact that
 * is displaced keeps its time, and a claim about the past only adds closed history. No two facts about one thing hold
 * at the same time.
 * @param newId of the facts that are added
 */
export function settleFacts<C extends Claim>(
  held: readonly DatedFact[],
  claims: readonly C[],
  newId: () => string,
): Settled<C> {
  const settled = { changes: [], facts: [...held], subjects: held.map(subjectOf) };
  for (const claim of claims) settle(settled, claim, newId);
  const { changes, facts }: Settled<C> = settled;
  return { changes, facts };
}

function settle<C extends Claim>(settled: Settling<C>, claim: C, newId: () => string): void {
  const { changes } = settled;
  if (claim.confidence < LEAST_CONFIDENCE || claim.importance < LEAST_IMPORTANCE) {
    changes.push({ kind: 'refuse', claim, reason: 'weak', by: null });
    return;
  }
  nameRelation(settled, claim);
  const subject = subjectOf(claim);
  const rivals = settled.facts.filter((_, place) =>
    isSameSubject(settled.subjects[place] as Subject, subject),
  );
  const holding = settled.facts.filter(
    (fact) => (rivals.includes(fact) || isNamed(fact, claim)) && holdsAt(fact, claim),
  );
  const same = holding.find((fact) => isSame(fact, claim));
  const others = holding.filter((fact) => fact !== same);
  const surer = others.find((fact) => !wins(claim, fact));
  if (surer) {
    changes.push({ kind: 'refuse', claim, reason: 'less sure', by: surer.id });
    return;
  }
  const next = firstAfter(rivals, claim);
  const ends = earliest([...others.map(({ validTo }) => validTo), next?.validFrom ?? null]);
  const id = same?.id ?? (next && continues(next, claim, ends) ? next.id : newId());
  for (const fact of others) close(settled, fact, claim.at, id);
  if (same) reinforce(settled, same, claim);
  else if (next?.id === id) extend(settled, next, claim);
  else insert(settled, claim, id, ends);
}

const holdsAt = (fact: DatedFact, claim: Claim): boolean =>
  !isAfter(fact, claim) && (fact.validTo === null || claim.at < fact.validTo);

/** Turns of one call may have one time: then the later turn was said later. */
const isAfter = ({ validFrom, turnId }: DatedFact, { at, turnId: own }: Claim): boolean =>
  validFrom.getTime() === at.getTime()
    ? turnId != null && own != null && turnId > own
    : validFrom > at;

/** The fact that the claim itself says it changes. */
const isNamed = (fact: DatedFact, claim: Claim): boolean =>
  fact.id === claim.factId && claim.action !== 'REINFORCE';

const isSame = (fact: DatedFact, claim: Claim): boolean =>
  fact.polarity === claim.polarity &&
  fact.key === claim.key &&
  normalValue(fact.value) === normalValue(claim.value);

/** The new value wins if it is at least as sure, corrects the old one, or affirms what was denied. */
const wins = (claim: Claim, fact: DatedFact): boolean =>
  claim.isCorrection ||
  claim.action === 'INVALIDATE' ||
  claim.confidence >= fact.confidence ||
  (claim.polarity === 'POSITIVE' && fact.polarity === 'NEGATIVE');

const firstAfter = (facts: readonly DatedFact[], claim: Claim): DatedFact | null =>
  facts
    .filter((fact) => isAfter(fact, claim))
    .reduce<DatedFact | null>(
      (first, fact) => (first && first.validFrom <= fact.validFrom ? first : fact),
      null,
    );

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, at) => (at && (!first || at < first) ? at : first), null);

/** The next fact says the same and begins where the claim would end. */
const continues = (next: DatedFact, claim: Claim, ends: Date | null): boolean =>
  isSame(next, claim) && ends !== null && ends.getTime() === next.validFrom.getTime();

function change<C extends Claim>(settled: Settling<C>, id: string, to: Partial<DatedFact>): void {
  const place = settled.facts.findIndex((fact) => fact.id === id);
  const changed = { ...(settled.facts[place] as DatedFact), ...to };
  settled.facts = settled.facts.with(place, changed);
  settled.subjects[place] = subjectOf(changed);
}

function close<C extends Claim>(
  settled: Settling<C>,
  { id }: DatedFact,
  validTo: Date,
  by: string,
): void {
  change(settled, id, { validTo });
  settled.changes.push({ kind: 'close', id, validTo, by });
}

function reinforce<C extends Claim>(settled: Settling<C>, fact: DatedFact, claim: C): void {
  change(settled, fact.id, { confidence: Math.max(fact.confidence, claim.confidence) });
  settled.changes.push({ kind: 'reinforce', id: fact.id, claim });
}

function extend<C extends Claim>(settled: Settling<C>, { id }: DatedFact, claim: C): void {
  change(settled, id, { validFrom: claim.at, turnId: claim.turnId ?? null });
  settled.changes.push({ kind: 'extend', id, validFrom: claim.at, claim });
}

function insert<C extends Claim>(
  settled: Settling<C>,
  claim: C,
  id: string,
  validTo: Date | null,
): void {
  const { category, key, value, statement, polarity, confidence, at: validFrom } = claim;
  const told = { category, key, value, statement, polarity, confidence };
  const turnId = claim.turnId ?? null;
  settled.facts.push({ ...told, id, validFrom, validTo, turnId });
  settled.subjects.push(subjectOf(told));
  settled.changes.push({ kind: 'insert', id, claim, validTo });
}

/** "My sister's name is Melanie": what was known of the sister is known of Melanie. */
function nameRelation<C extends Claim>(settled: Settling<C>, claim: C): void {
  const named = personKeyOf(claim.key);
  if (named?.attribute !== 'relation' || claim.polarity === 'NEGATIVE') return;
  const relation = relationPart(claim.value);
  if (relation === named.who) return;
  for (const fact of settled.facts) {
    const known = personKeyOf(fact.key);
    if (known?.who !== relation || fact.validTo !== null) continue;
    const key = `person:${named.who}:${known.attribute}`;
    // Of two things known of one person under one key, the one under the name stays.
    if (settled.facts.some((other) => other.key === key && other.validTo === null)) continue;
    change(settled, fact.id, { key });
    settled.changes.push({ kind: 'rekey', id: fact.id, key });
  }
}
