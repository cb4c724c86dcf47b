import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import { withinQuotas } from '../../domain/ranking/choose.ts';
import { byScore, type Scored } from '../../domain/ranking/scored.ts';
import type { Hit } from '../assemble.ts';
import { isRelated, withoutKnown } from '../choose-hits.ts';
import type { Lap, StageName, Trace } from '../trace.ts';

/** Why something is not among the hits of a recall. */
export type Miss =
  | 'NOT_FOUND'
  | 'FILTERED'
  | 'SAYS_NOTHING'
  | 'KNOWN_FACT'
  | 'UNRELATED'
  | 'QUOTA'
  | 'BELOW'
  | 'REDUNDANT'
  | 'BUDGET';

/** A candidate in one stage: its rank and score there, null until it is scored, and what kept it out of the next stage. */
export type StageCandidate = {
  kind: MemoryKind;
  id: number;
  number: number;
  rank: number | null;
  score: number | null;
  miss: Miss | null;
};

/** A stage, and its candidates, best first. They are listed only when asked for. */
export type Stage = Lap & { candidates: () => readonly StageCandidate[] };

type Found = { kind: MemoryKind; candidate: { id: number; number: number } };
type Judged = Found & { score: number };

/** Describes the stages of a recall: what each looked at, and what it handed on. */
export function explainStages(trace: Trace): Stage[] {
  const { chosen, assembled, hits } = trace;
  const views: Partial<Record<StageName, () => StageCandidate[]>> = {
    CANDIDATES: () => found(trace),
    SCORES: () => inOrder([...trace.scored].sort(byScore), () => null),
    CHOICE: () => choice(trace),
    TEXTS: () => inOrder(chosen.best, without(assembled.map(scoredOf), 'REDUNDANT')),
    BUDGET: () => inOrder(assembled.map(scoredOf), without(hits.map(scoredOf), 'BUDGET')),
  };
  return trace.laps.map((lap) => ({ ...lap, candidates: views[lap.name] ?? (() => []) }));
}

/** All candidates. One that was not scored says nothing of its own, or scored too low before its text was read. */
function found({ candidates, scored }: Trace): StageCandidate[] {
  const { turns, memories, search } = candidates;
  const ranked = new Set(scored.map(nameOf));
  const unranked = search.question.ranksAll ? 'SAYS_NOTHING' : 'BELOW';
  return [...(turns?.all ?? []), ...memories].map((candidate) => {
    const { kind, id, number } = candidate;
    const miss = ranked.has(nameOf({ kind, candidate })) ? null : unranked;
    return { kind, id, number, rank: null, score: null, miss };
  });
}

/** All that was scored, and what kept each out of the hits. */
function choice({ candidates, scored, chosen: { best, limits } }: Trace): StageCandidate[] {
  const { intent, isMessage } = candidates.search.question;
  const unknown = withoutKnown(candidates, scored).sort(byScore);
  const related = unknown.filter((one) => isRelated(one, { isMessage, ...limits }));
  const allowed = new Set(withinQuotas(related, intent, limits).map(nameOf));
  const chosen = new Set(best.map(nameOf));
  const misses = new Map<string, Miss | null>(unknown.map((one) => [nameOf(one), 'UNRELATED']));
  let better = 0;
  for (const name of related.map(nameOf)) {
    // A candidate that scores well but was not chosen exceeds its kind's quota, or made room for a kind that must be present.
    const miss = better < limits.first ? 'QUOTA' : 'BELOW';
    misses.set(name, chosen.has(name) ? null : miss);
    if (allowed.has(name)) better += 1;
  }
  return inOrder([...scored].sort(byScore), (one) => {
    const miss = misses.get(nameOf(one));
    return miss === undefined ? 'KNOWN_FACT' : miss;
  });
}

const inOrder = (list: readonly Judged[], missOf: (one: Judged) => Miss | null) =>
  list.map((one, place): StageCandidate => {
    const { kind, candidate, score } = one;
    const { id, number } = candidate;
    return { kind, id, number, rank: place + 1, score, miss: missOf(one) };
  });

const without = (kept: readonly Found[], miss: Miss) => {
  const names = new Set(kept.map(nameOf));
  return (one: Found) => (names.has(nameOf(one)) ? null : miss);
};

const scoredOf = ({ scored }: Hit): Scored => scored;

/** A name that is unique among all kinds: a skill is named by its episode and its number there. */
export const nameOf = ({ kind, candidate: { id, number } }: Found): string =>
  kind === 'SKILL' ? `${kind} ${id} ${number}` : `${kind} ${id}`;
