import type { Needs } from '../../context.ts';
import type { Retracted } from '../../db/facts/edit-facts.ts';
import type { Heard, NewFact } from '../../db/facts/facts.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { storedIdOf } from '../../domain/facts/fact.ts';
import { normalValue } from '../../domain/facts/fact-key.ts';
import {
  type DatedCandidate,
  type FactChange,
  reconcileFacts,
} from '../../domain/facts/fact-timeline.ts';
import { isForgotten, markOf } from '../../domain/facts/forgotten-fact.ts';
import type { Memory } from '../../memory.ts';
import { rowsOf } from './fact-rows.ts';
import { logFactDecisions } from './log-fact-decisions.ts';
import { type EmbeddedFact, saveFactVectors } from './save-fact-vectors.ts';

type Earlier = Omit<Heard, 'forgottenAt'>;

/** A candidate with its origin and its turn; null if it was recorded by hand. */
export type FoundCandidate = DatedCandidate & {
  turnId: number | null;
  origin: NewFact['origin'];
  model: string | null;
  pinned?: boolean;
  /** The turn's own words, if the candidate has the words of a stored fact instead. */
  own?: Pick<DatedCandidate, 'category' | 'key' | 'value' | 'statement'>;
  /** Its vector, if it was compared by meaning. */
  embedded?: EmbeddedFact;
};

/**
 * Reconciles candidates with the stored facts, and stores the changes with their events (requirements 9.10). Statements that
 * were extracted from the same turn before, or that were forgotten or taken back, are ignored. The user's row must be locked.
 * @returns the changes, with fact ids as text
 */
export async function reconcileCandidates(
  ctx: Needs<'logger' | 'metrics'>,
  memory: Memory,
  candidates: readonly FoundCandidate[],
): Promise<FactChange<FoundCandidate>[]> {
  const started = performance.now();
  const { now } = memory;
  const said = candidates.filter(({ turnId }) => turnId !== null);
  const wordings = said.flatMap(wordingsOf);
  const [earlier, retracted] = await Promise.all([
    memory.facts.heard(
      said.flatMap(({ turnId }) => turnId ?? []),
      wordings.map((wording) => markOf(wording).value),
    ),
    memory.facts.retracted(namesOf(wordings)),
  ]);
  const fresh = candidates.filter(
    (candidate) =>
      !earlier.some((statement) => isRepeated(statement, candidate)) &&
      !retracted.some((fact) => isTakenBack(fact, candidate)),
  );
  if (fresh.length === 0) return [];
  const [storedFacts, { last }] = await Promise.all([
    memory.facts.stored({
      keys: namesOf(fresh).keys.flatMap(storedKeysOf),
      values: namesOf(fresh).values,
      ids: fresh.flatMap(({ factId }) => storedIdOf(factId) ?? []),
    }),
    memory.facts.counters(),
  ]);
  let next = last;
  const newId = () => {
    next += 1;
    return String(next);
  };
  const reconciled = reconcileFacts(storedFacts, fresh, newId);
  const isReworded = await memory.facts.save(rowsOf(storedFacts, reconciled), now);
  const isEmbedded = await saveFactVectors(memory, reconciled.changes);
  const refused = reconciled.changes.flatMap((change) =>
    change.kind === 'refuse' && change.candidate.turnId !== null
      ? [
          refusalOf(change.candidate, {
            turnId: change.candidate.turnId,
            reason: change.reason,
            by: change.by,
          }),
        ]
      : [],
  );
  if (refused.length > 0) await memory.facts.refuse(refused, now);
  const events = reconciled.changes.flatMap(eventOf);
  memory.record(events);
  const isByHand = fresh.some(({ origin }) => origin === 'HAND');
  if (events.length > 0 || isByHand) memory.changed('factsChanged');
  if (!isEmbedded || isReworded) memory.changed('factsRecorded');
  memory.onCommit(() =>
    logFactDecisions(ctx, memory.userId, {
      changes: reconciled.changes,
      seconds: (performance.now() - started) / 1000,
    }),
  );
  return reconciled.changes;
}

/** A candidate as it is, and in its turn's own words: a forgotten fact may have been said in these. */
const wordingsOf = (candidate: FoundCandidate): FoundCandidate[] =>
  candidate.own ? [candidate, { ...candidate, ...candidate.own }] : [candidate];

/** The keys of candidates, and the values of those without a key. */
const namesOf = (candidates: readonly FoundCandidate[]) => ({
  keys: candidates.flatMap(({ key }) => key ?? []),
  values: candidates.flatMap(({ key, value }) => (key === null ? value.toLowerCase() : [])),
});

/** Whether a turn says what was taken back after it was said. What is said later may be believed. */
const isTakenBack = (fact: Retracted, candidate: FoundCandidate): boolean =>
  candidate.turnId !== null &&
  candidate.at <= fact.retractedAt &&
  wordingsOf(candidate).some(
    (wording) =>
      isSameWords(fact, wording) && (fact.key !== null || fact.category === wording.category),
  );

/** Whether a candidate was extracted from its turn before, or is this fact, if it was forgotten. */
export const isRepeated = (
  { forgottenAt, ...earlier }: Heard,
  candidate: FoundCandidate,
): boolean =>
  forgottenAt === null
    ? earlier.turnId === candidate.turnId &&
      (isSameWords(earlier, candidate) || isReadBefore(earlier, candidate))
    : wordingsOf(candidate).some((wording) => isForgotten(wording, { ...earlier, forgottenAt }));

const isSameWords = (
  earlier: Pick<Earlier, 'key' | 'value' | 'polarity'>,
  candidate: FoundCandidate,
): boolean =>
  earlier.polarity === candidate.polarity &&
  earlier.key === candidate.key &&
  normalValue(earlier.value) === normalValue(candidate.value);

/**
 * Whether the same fact was read from the turn before, perhaps in other words, as when its episode is consolidated. Facts
 * found by pattern do not count, because a full reading knows more.
 */
const isReadBefore = ({ origin, key, factId }: Earlier, candidate: FoundCandidate): boolean =>
  origin !== null &&
  origin !== 'PATTERN' &&
  ((key !== null && key === candidate.key) || factId === candidate.factId);

/** The keys under which a fact may be stored: an interest may also be stored as a preference, and vice versa. */
export const storedKeysOf = (key: string): string[] => [
  key,
  key.replace(/^interest:/, 'preference:'),
  key.replace(/^preference:/, 'interest:'),
];

const refusalOf = (
  { category, key, value, statement, polarity, confidence, importance, at }: FoundCandidate,
  { turnId, reason, by }: { turnId: number; reason: string; by: string | null },
) => {
  const fields = { category, key, value, statement, polarity, confidence, importance, at };
  return { ...fields, turnId, reason, byFactId: by === null ? null : Number(by) };
};

/**
 * The event of a change; docs/operations.md lists the names, and those that differ in the log. It contains no key, because keys
 * may contain names of persons.
 */
function eventOf(change: FactChange<FoundCandidate>): EventDraft[] {
  if (change.kind === 'insert') {
    const { category, polarity, confidence, model, origin } = change.candidate;
    const by = model ?? origin.toLowerCase();
    const decision = `memory.create (${category}, ${polarity}, confidence ${confidence.toFixed(2)}, by ${by})`;
    return [{ kind: 'FACT_RECORDED', factId: Number(change.id), decision }];
  }
  if (change.kind === 'close') {
    const decision = `memory.update (fact ${change.by} took the place of fact ${change.id})`;
    return [{ kind: 'FACT_SUPERSEDED', factId: Number(change.id), decision }];
  }
  if (change.kind === 'refuse' && change.by !== null) {
    const decision = `memory.refuse (${change.reason} than fact ${change.by})`;
    return [{ kind: 'FACT_REFUSED', factId: Number(change.by), decision }];
  }
  return [];
}
