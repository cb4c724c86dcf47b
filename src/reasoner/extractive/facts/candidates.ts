import type { CandidateFact, StoredFact } from '../../../domain/facts/fact.ts';
import { isSameSubject, normalValue, subjectOf } from '../../../domain/facts/fact-key.ts';
import { HAS_GOAL } from './rules/goals.ts';
import type { Draft } from './text/draft.ts';

const identityOf = ({ category, key, value }: Draft): string =>
  key ?? `${category} ${normalValue(value)}`;

/** Whether two drafts say something else of one thing. */
const differ = (one: Draft, other: Draft): boolean =>
  one.polarity !== other.polarity || normalValue(one.value) !== normalValue(other.value);

/**
 * Keeps one draft for each thing: the first, or a later correction that says something else. One that replaces a key removes the
 * draft of that key.
 */
export function withoutRepeats(drafts: readonly Draft[]): Draft[] {
  const kept = new Map<string, Draft>();
  for (const draft of drafts) {
    const identity = identityOf(draft);
    if (draft.replaces) kept.delete(draft.replaces);
    const before = kept.get(identity);
    if (!before || (draft.isCorrection && differ(draft, before))) {
      kept.delete(identity);
      kept.set(identity, draft);
    }
  }
  return [...kept.values()];
}

/** The stored fact that a draft is about. */
function knownFor(draft: Draft, known: readonly StoredFact[]): StoredFact | undefined {
  const replaced =
    draft.replaces &&
    known.find(({ key, polarity }) => key === draft.replaces && polarity === 'POSITIVE');
  const subject = subjectOf(draft);
  const same = known.find((fact) => isSameSubject(subjectOf(fact), subject));
  return replaced || same || formerGoal(draft, known);
}

const isNamedGoal = ({ category, polarity, statement }: StoredFact | Draft): boolean =>
  category === 'GOAL' && polarity === 'POSITIVE' && statement.startsWith(`The user ${HAS_GOAL}`);

/** The stored goal that "My goal is … now" replaces. */
const formerGoal = (draft: Draft, known: readonly StoredFact[]): StoredFact | undefined =>
  draft.isCorrection && isNamedGoal(draft) ? known.findLast(isNamedGoal) : undefined;

function actionOf(draft: Draft, fact: StoredFact | undefined): CandidateFact['action'] {
  if (!fact) return 'NEW';
  if (fact.polarity !== draft.polarity)
    return draft.polarity === 'NEGATIVE' ? 'INVALIDATE' : 'UPDATE';
  return normalValue(fact.value) === normalValue(draft.value) && fact.key === draft.key
    ? 'REINFORCE'
    : 'UPDATE';
}

/** Turns a draft into a candidate fact with its action on the stored facts. */
export function candidateOf(draft: Draft, known: readonly StoredFact[], turn: number) {
  const fact = knownFor(draft, known);
  const { replaces: _replaces, isAside: _isAside, isCorrection = false, ...fields } = draft;
  return { ...fields, isCorrection, action: actionOf(draft, fact), factId: fact?.id ?? null, turn };
}
