import type { Context } from '../../context.ts';
import type { ReadTurn as Turn } from '../../db/turns/turns.ts';
import type { CandidateFact, LearnedFact } from '../../domain/facts/fact.ts';
import { type DatedFact, reconcileFacts } from '../../domain/facts/fact-timeline.ts';
import { isPhoneNumber } from '../../domain/facts/phone-number.ts';
import { matchNeighbours } from './match-neighbours.ts';
import type { FoundCandidate } from './reconcile-facts.ts';

/** Known facts that the reasoner is shown: so many with a key, and as many without. */
const KNOWN = 50;

/** Turns to be read at once, behind those that are only context. */
export type TurnGroup = { turns: Turn[]; contextTurns: number };

/** What was found, and how many of the groups were read. */
type Found = { candidates: FoundCandidate[]; read: number };

/**
 * What the reasoner finds in turns, each group in the light of what the ones before it said.
 * @param within no further group is begun after so many milliseconds: others wait for the place
 */
export async function readCandidates(
  ctx: Context,
  userId: string,
  {
    groups,
    held,
    last,
    within = Number.POSITIVE_INFINITY,
  }: {
    groups: readonly TurnGroup[];
    held: readonly DatedFact[];
    last: number;
    within?: number | undefined;
  },
): Promise<Found> {
  const { reasoner } = ctx;
  const origin = reasoner.generatedBy;
  const model = reasoner.modelOf('extract-facts');
  const candidates: FoundCandidate[] = [];
  let facts = held;
  let next = last;
  let read = 0;
  const until = performance.now() + within;
  // The built-in rules write no dates out.
  const timeZone = origin === 'MODEL' ? await timeZoneOf(ctx, userId) : null;
  for (const { turns, contextTurns } of groups) {
    if (read > 0 && performance.now() > until) break;
    read += 1;
    const active = facts.filter(({ validTo }) => validTo === null);
    const known = [
      ...active.filter(({ key }) => key !== null).slice(-KNOWN),
      ...active.filter(({ key }) => key === null).slice(-KNOWN),
    ];
    const shown = new Set(known.map(({ id }) => id));
    const found = await reasoner.extractFacts({ turns, contextTurns, known, timeZone }, { userId });
    const own = await matchNeighbours(
      ctx,
      userId,
      found.facts.flatMap((learned): FoundCandidate[] => {
        const { isNote, ...found } = guarded(learned, shown);
        const candidate = candidateOf(found, turns);
        return candidate ? [{ ...candidate, origin: isNote ? 'NOTE' : origin, model }] : [];
      }),
    );
    candidates.push(...own);
    const reconciled = reconcileFacts(facts, own, () => {
      next += 1;
      return String(next);
    });
    facts = reconciled.facts;
  }
  return { candidates, read };
}

const timeZoneOf = (ctx: Context, userId: string): Promise<string | null> =>
  ctx.memory(userId).read((memory) => memory.settings.timeZone());

/** A fact that the reasoner names but was not shown is treated as new. */
const guarded = (learned: LearnedFact, shown: ReadonlySet<string>): LearnedFact =>
  learned.factId === null || shown.has(learned.factId)
    ? learned
    : { ...learned, factId: null, action: 'NEW' };

/** Only what the user says of themselves is a fact: a model may err about whose words they are. */
function candidateOf(
  { turn: index, ...learned }: CandidateFact,
  turns: readonly Turn[],
): (Pick<FoundCandidate, 'turnId' | 'at'> & Omit<CandidateFact, 'turn'>) | null {
  const turn = turns[index];
  if (turn?.role !== 'USER') return null;
  if (learned.key === 'profile:phone' && !isPhoneNumber(learned.value)) return null;
  return { ...learned, turnId: turn.id, at: turn.occurredAt };
}
