import type { MemoryContext, Needs } from '../../context.ts';
import type { Heard } from '../../db/facts/facts.ts';
import type { TurnRow as Turn } from '../../db/turns/remember.ts';
import { type CandidateFact, type LearnedFact, storedIdOf } from '../../domain/facts/fact.ts';
import {
  type DatedFact,
  type FactChange,
  type Reconciled,
  reconcileFacts,
} from '../../domain/facts/fact-timeline.ts';
import { isPhoneNumber } from '../../domain/facts/phone-number.ts';
import { isAnyRepeated, matchNeighbours, ownWordsOf } from './match-neighbours.ts';
import { type FoundCandidate, isRepeated } from './reconcile-facts.ts';

/** How many stored facts the reasoner is shown with a key, and how many without. */
const SHOWN_FACTS = 50;
/** How draft ids begin, unlike the numbers of stored facts. */
const DRAFT = 'draft-';

/** Turns to be read together. The first `contextTurns` of them are only context. */
export type TurnGroup = { turns: Turn[]; contextTurns: number };

/** The candidates found, and how many of the groups were read. */
type Found = { candidates: FoundCandidate[]; read: number };

/**
 * Lets the reasoner extract candidate facts from turns. Each group also sees the facts that were found in earlier groups, under
 * draft ids. When a draft is stored, it may turn out to be an older fact that is not among `storedFacts`.
 * @param storedFacts the facts that candidates are reconciled with
 * @param heard what was extracted from these turns before; candidates that repeat it are dropped before they are compared
 * @param within milliseconds after which no further group is begun, so that other jobs get a turn. Reading then also stops before
 *   a group that repeats a new fact: the next run compares it with the stored fact
 */
export async function readCandidates(
  ctx: MemoryContext & Needs<'reasoner' | 'logger' | 'metrics'>,
  userId: string,
  {
    groups,
    storedFacts,
    heard = [],
    within,
  }: {
    groups: readonly TurnGroup[];
    storedFacts: readonly DatedFact[];
    heard?: readonly Heard[];
    within?: number | undefined;
  },
): Promise<Found> {
  const { reasoner } = ctx;
  const origin = reasoner.generatedBy;
  const model = reasoner.modelOf('extract-facts');
  const candidates: FoundCandidate[] = [];
  let facts = storedFacts;
  let drafts = 0;
  let read = 0;
  const before: FoundCandidate[] = [];
  const ended: number[] = [];
  const until = performance.now() + (within ?? Number.POSITIVE_INFINITY);
  // The built-in rules do not resolve dates, so they need no time zone.
  const timeZone = origin === 'MODEL' ? await timeZoneOf(ctx, userId) : null;
  for (const { turns, contextTurns } of groups) {
    if (read > 0 && performance.now() > until) break;
    const known = [...newestOf(facts, isKeyed), ...newestOf(facts, isKeyless)];
    const shown = new Set(known.map(({ id }) => id));
    const found = await reasoner.extractFacts({ turns, contextTurns, known, timeZone }, { userId });
    const fresh = found.facts
      .flatMap((learned): FoundCandidate[] => {
        const { isNote, ...found } = guarded(learned, shown);
        const candidate = candidateOf(found, turns);
        if (!candidate) return [];
        return [inKnownWords({ ...candidate, origin: isNote ? 'NOTE' : origin, model }, known)];
      })
      .filter((candidate) => !heard.some((earlier) => isRepeated(earlier, candidate)));
    const matched = await matchNeighbours(ctx, userId, { candidates: fresh, ended });
    const reconciled = reconcileFacts(facts, matched, () => {
      drafts += 1;
      return `${DRAFT}${drafts}`;
    });
    const added = reconciled.changes.flatMap((change) =>
      change.kind === 'insert' ? change.candidate : [],
    );
    if (within && (await isAnyRepeated(ctx, userId, { candidates: added, before }))) break;
    before.push(...added);
    read += 1;
    facts = reconciled.facts;
    ended.push(...endedBy(reconciled, matched));
    candidates.push(...matched.map((candidate) => withDraftId(candidate, reconciled.changes)));
  }
  return { candidates, read };
}

const isKeyed = ({ key }: DatedFact) => key !== null;
const isKeyless = ({ key }: DatedFact) => key === null;

/** The newest active facts that match, oldest first. Searched from the end, because there may be thousands. */
function newestOf(facts: readonly DatedFact[], matches: (fact: DatedFact) => boolean): DatedFact[] {
  const newest: DatedFact[] = [];
  for (let at = facts.length - 1; at >= 0 && newest.length < SHOWN_FACTS; at--) {
    const fact = facts[at] as DatedFact;
    if (fact.validTo === null && matches(fact)) newest.push(fact);
  }
  return newest.reverse();
}

/** The stored facts that these candidates end, including those that are too old to be among `facts`. */
function endedBy(
  { changes, facts }: Reconciled<FoundCandidate>,
  candidates: readonly FoundCandidate[],
): number[] {
  const closed = changes.flatMap((change) => (change.kind === 'close' ? change.id : []));
  const updated = candidates.flatMap(({ action, factId }) =>
    action === 'REINFORCE' || factId === null ? [] : factId,
  );
  const old = updated.filter((id) => !facts.some((fact) => fact.id === id));
  return [...closed, ...old].flatMap((id) => storedIdOf(id) ?? []);
}

/** Gives a candidate the id of the draft that it makes or says again: of several, the last one that is stored is meant. */
function withDraftId(
  candidate: FoundCandidate,
  changes: readonly FactChange<FoundCandidate>[],
): FoundCandidate {
  for (const change of changes) {
    if (change.kind === 'refuse' || change.kind === 'close' || change.kind === 'rekey') continue;
    const isDraft = change.candidate === candidate && change.id.startsWith(DRAFT);
    if (isDraft) return { ...candidate, draftId: change.id };
  }
  return candidate;
}

const timeZoneOf = (ctx: MemoryContext, userId: string): Promise<string | null> =>
  ctx.memory(userId).read((memory) => memory.settings.timeZone());

/** Treats a candidate as new if the reasoner names a fact that it was not shown. */
const guarded = (learned: LearnedFact, shown: ReadonlySet<string>): LearnedFact =>
  learned.factId === null || shown.has(learned.factId)
    ? learned
    : { ...learned, factId: null, action: 'NEW' };

/** What is said to be a known fact has that fact's key and words: in others, it would be another fact. */
function inKnownWords(candidate: FoundCandidate, known: readonly DatedFact[]): FoundCandidate {
  const fact = known.find(({ id }) => id === candidate.factId);
  if (candidate.action !== 'REINFORCE' || fact?.polarity !== candidate.polarity) return candidate;
  return { ...candidate, ...ownWordsOf(fact), own: ownWordsOf(candidate) };
}

/** Refuses a candidate from a turn that is not the user's, because a model may confuse speakers. */
function candidateOf(
  { turn: index, ...learned }: CandidateFact,
  turns: readonly Turn[],
): (Pick<FoundCandidate, 'turnId' | 'at'> & Omit<CandidateFact, 'turn'>) | null {
  const turn = turns[index];
  if (turn?.role !== 'USER') return null;
  if (learned.key === 'profile:phone' && !isPhoneNumber(learned.value)) return null;
  return { ...learned, turnId: turn.id, at: turn.occurredAt };
}
