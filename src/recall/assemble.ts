import type { Needs } from '../context.ts';
import type { KnownFact, ShownEpisode, ShownText } from '../db/facts/recalled.ts';
import type { TurnText as Turn } from '../db/turns/turns.ts';
import { AnswerTooLarge } from '../domain/core/errors.ts';
import { withoutNegated } from '../domain/facts/negated.ts';
import { isKeyMoment } from '../domain/ranking/memory-ranking.ts';
import type { Scored, ScoredMemory, ScoredTurn } from '../domain/ranking/scored.ts';
import { isRestatedBy } from '../domain/turns/restated.ts';
import { isIn, type Stretch } from '../domain/turns/stretch.ts';
import type { MemoryReader } from '../memory.ts';
import type { Chosen } from './choose-hits.ts';
import type { Detail } from './read-question.ts';

/** One part of an answer, with its rank and the explanation of its score. */
export type Hit = { rank: number; score: number } & (
  | {
      kind: 'TURN';
      turn: Turn;
      /** What is printed of a turn that is too long for the token budget. */
      excerpt?: string;
      before: Turn[];
      after: Turn[];
      scored: ScoredTurn;
    }
  | {
      kind: 'EPISODE';
      episode: ShownEpisode;
      keyMoment: boolean;
      /** Turns of the episode, word for word, if the level of detail includes them. */
      turns: Turn[];
      scored: ScoredMemory;
    }
  | { kind: 'FACT'; fact: KnownFact; scored: ScoredMemory }
  | { kind: 'SEMANTIC_MEMORY' | 'SKILL'; memory: ShownText; scored: ScoredMemory }
);

/**
 * Recall's sixth stage: reads what the hits show: texts, the turns around a turn, the matching turns of an episode, and all
 * turns of a key moment; nothing that was said after `asOf`. Candidates that were forgotten meanwhile are left out.
 */
export async function assemble(
  ctx: Needs<'config'>,
  memory: MemoryReader,
  chosen: Chosen,
): Promise<Hit[]> {
  const { best } = chosen;
  const [turnHit, memoryHit] = await Promise.all([
    fetchTurns(ctx, memory, best),
    fetchTexts(memory, best),
  ]);
  const hits = best.flatMap((scored): Hit[] => {
    const hit = scored.kind === 'TURN' ? turnHit(scored) : memoryHit(scored);
    return hit ? [{ rank: 0, score: scored.score, ...hit }] : [];
  });
  return addTurns(memory, numbered(hits, chosen), {
    ...chosen,
    most: ctx.config.limits.answerBytes,
  });
}

/**
 * Ranks the hits, without facts that another fact negates, without notes whose turn is a better hit, and without episodes
 * that say nothing beyond better ones.
 */
function numbered(hits: readonly Hit[], { candidates: { known, search } }: Chosen): Hit[] {
  const facts = hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []));
  const shownFacts = new Set(withoutNegated(facts, [...facts, ...known.facts]));
  const left = hits.filter((hit) => hit.kind !== 'FACT' || shownFacts.has(hit.fact));
  // For a prompt, hits are chosen again later, and repetitions are left out then.
  const once = search.question.isMessage
    ? left
    : left.filter((hit, place) => !isRepeated(hit, left.slice(0, place)));
  return once.map((hit, index) => ({ ...hit, rank: index + 1 }));
}

/** Whether better hits say, word for word, what a note or an episode says. */
function isRepeated(hit: Hit, better: readonly Hit[]): boolean {
  if (hit.kind === 'FACT') {
    const { origin, statement } = hit.fact;
    return (
      origin === 'NOTE' &&
      better.some((other) => other.kind === 'TURN' && other.turn.text.includes(statement))
    );
  }
  if (hit.kind !== 'EPISODE') return false;
  const summaries = better.flatMap((other) =>
    other.kind === 'EPISODE' ? [other.episode.summary] : [],
  );
  return summaries.length > 0 && isRestatedBy(hit.episode.summary, summaries);
}

type Unranked<T> = T extends Hit ? Omit<T, 'rank' | 'score'> : never;

/** Reads the turns among the best whose texts have not been read yet. */
async function fetchTurns(
  { config }: Needs<'config'>,
  memory: MemoryReader,
  best: readonly Scored[],
): Promise<(scored: ScoredTurn) => Unranked<Hit> | null> {
  const ids = best.flatMap(({ candidate }) =>
    candidate.kind === 'TURN' && !candidate.content ? [candidate.id] : [],
  );
  const most = config.limits.answerBytes;
  const read = ids.length > 0 ? await memory.scanTurns.turnTexts(ids, { most }) : [];
  checkSize(read, most);
  const contents = new Map(read.map((turn) => [turn.id, turn]));
  return (scored) => {
    const { id, threadId, number } = scored.candidate;
    const content = scored.candidate.content ?? contents.get(id);
    if (!content) return null;
    const turn = { ...content, userId: memory.userId, threadId, number } as Turn;
    return { kind: 'TURN', turn, before: [], after: [], scored };
  };
}

/** Reads the texts of all other memories among the best, one statement per kind, in one round trip. */
async function fetchTexts(
  memory: MemoryReader,
  best: readonly Scored[],
): Promise<(scored: ScoredMemory) => Unranked<Hit> | null> {
  const idsOf = (kind: ScoredMemory['candidate']['kind']) =>
    best.flatMap(({ candidate }) => (candidate.kind === kind ? [candidate.id] : []));
  const fetched = async <T>(ids: number[], fetch: (ids: number[]) => Promise<T[]>) =>
    ids.length > 0 ? fetch(ids) : [];
  const { recalled } = memory;
  const [episodes, facts, memories, skills] = await Promise.all([
    fetched(idsOf('EPISODE'), recalled.episodes),
    fetched(idsOf('FACT'), recalled.facts),
    fetched(idsOf('SEMANTIC_MEMORY'), (ids) => recalled.texts('SEMANTIC_MEMORY', ids)),
    fetched(idsOf('SKILL'), (ids) => recalled.texts('SKILL', ids)),
  ]);
  return (scored) => {
    const { kind, id, number } = scored.candidate;
    if (kind === 'EPISODE') {
      const episode = episodes.find((row) => row.id === id);
      const keyMoment = isKeyMoment(episode?.surprise ?? null);
      return episode ? { kind, episode, keyMoment, turns: [], scored } : null;
    }
    if (kind === 'FACT') {
      const fact = facts.find((row) => row.id === id);
      return fact ? { kind, fact, scored } : null;
    }
    const rows = kind === 'SKILL' ? skills : memories;
    const memory = rows.find((row) => row.id === id && row.number === number);
    return memory ? { kind, memory, scored } : null;
  };
}

/**
 * Whether an episode is shown with all its turns (requirements 12.11): AUTO shows them for the first two episodes if they are
 * key moments, LOW for the first.
 * @param place among the episodes, from 1
 */
export function givesDetail(detail: Detail, place: number, keyMoment: boolean): boolean {
  if (detail === 'HIGH') return true;
  if (detail === 'NONE' || !keyMoment) return false;
  return place <= (detail === 'AUTO' ? 2 : 1);
}

/** How many of the best matching turns AUTO shows of an episode that is not shown in full. */
const MATCHING = 2;

/** The turns shown with each hit. No turn is shown with two episodes, nor if it is a hit itself. */
function stretchesOf(
  hits: readonly Hit[],
  { candidates: { search }, leading }: Chosen,
): Map<Hit, Stretch[]> {
  const { neighbours, detail } = search.question;
  const stretches = new Map<Hit, Stretch[]>();
  const shown = new Set(hits.flatMap((hit) => (hit.kind === 'TURN' ? [hit.turn.id] : [])));
  let place = 0;
  for (const hit of hits) {
    if (hit.kind === 'TURN' && neighbours > 0) {
      const { threadId, number } = hit.turn;
      stretches.set(hit, [{ threadId, from: number - neighbours, to: number + neighbours }]);
    }
    if (hit.kind !== 'EPISODE') continue;
    place += 1;
    const { threadId, firstTurn, lastTurn } = hit.episode;
    const whole = { threadId, from: firstTurn, to: lastTurn };
    if (givesDetail(detail, place, hit.keyMoment)) stretches.set(hit, [whole]);
    else {
      const inEpisode = leading.filter((turn) => isIn(whole, turn) && !shown.has(turn.id));
      const matching = inEpisode.slice(0, MATCHING);
      for (const { id } of matching) shown.add(id);
      stretches.set(
        hit,
        matching.map(({ number }) => ({ threadId, from: number, to: number })),
      );
    }
  }
  return stretches;
}

async function addTurns(
  memory: MemoryReader,
  hits: Hit[],
  chosen: Chosen & { most: number },
): Promise<Hit[]> {
  const stretches = stretchesOf(hits, chosen);
  const all = [...stretches.values()].flat();
  if (all.length === 0) return hits;
  const { most, candidates } = chosen;
  const { asOf } = candidates.search.question;
  const turns = await turnsShown(memory, all, most);
  const visible = turns.filter(({ occurredAt }) => asOf === null || occurredAt <= asOf);
  return hits.map((hit) => {
    const hitTurns = visible.filter((turn) =>
      stretches.get(hit)?.some((stretch) => isIn(stretch, turn)),
    );
    if (hit.kind === 'EPISODE') return { ...hit, turns: hitTurns };
    if (hit.kind !== 'TURN') return hit;
    const { number } = hit.turn;
    const before = hitTurns.filter((turn) => turn.number < number);
    return { ...hit, before, after: hitTurns.filter((turn) => turn.number > number) };
  });
}

/** Reads the turns in some ranges of threads, if their texts fit into one answer. @throws AnswerTooLarge */
export async function turnsShown(
  memory: MemoryReader,
  stretches: readonly Stretch[],
  most: number,
): Promise<Turn[]> {
  const turns = await memory.turns.textsInStretches(stretches, most);
  checkSize(turns, most);
  return turns;
}

/** Checks that the texts fit into one answer. @throws AnswerTooLarge */
function checkSize(turns: readonly { text: string }[], most: number): void {
  const bytes = turns.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > most) throw new AnswerTooLarge(most);
}
