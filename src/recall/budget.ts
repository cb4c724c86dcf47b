import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KnownFact } from '../db/facts/recalled.ts';
import { excerpt } from '../domain/turns/excerpt.ts';
import type { Hit } from './assemble.ts';
import { factLine, hitText, toMarkdown } from './format.ts';

/** How many were found but left out. `details`: episodes that are shown without their turns, and turns without those around them. */
export type LeftOut = { facts: number; hits: number; details: number };

type RecalledParts = { facts: KnownFact[]; hits: Hit[]; asOf: Date; leftOut: LeftOut };
type Piece = { fact: KnownFact } | { hit: Hit };
/** What an answer may take, and the question by which long turns are shortened. */
type Budget = { maxTokens: number; query: string };

/** The share of the budget that known facts may take before the hits. */
const FACTS_SHARE = 0.5;
/** The share of the tokens that a long turn of a person may take. */
export const OWN_SHARE = 0.11;
/** The approximate number of characters in a token. */
export const TOKEN_CHARACTERS = 4;
/** The most characters that a token stands for, in any ordinary text. */
const MOST_CHARACTERS = 32;
/** Counts every fact with "(sources: 99 conversations)", whatever its number. */
const CONVERSATIONS = { get: () => 99 };

/** Loads the tokenizer (o200k_base) on first use, because its table is large. */
const loadTokenizer = async (): Promise<(text: string) => number> =>
  (await import('../language/text/tokens.ts')).tokensOf;

/** Characters counted at a time, before the event loop gets a turn. */
const PIECE = 50_000;

/** The number of o200k_base tokens in a text. Counting stops above `most`, with some larger number. */
export async function countTokens(text: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const count = await loadTokenizer();
  let tokens = 0;
  for (let from = 0; from < text.length && tokens <= most; ) {
    const to = from + PIECE < text.length ? endOfWord(text, from + PIECE) : text.length;
    tokens += count(text.slice(from, to));
    if (to < text.length) await nextTurn();
    from = to;
  }
  return tokens;
}

/** The first space from a place on, if it is near; no token spans one. */
function endOfWord(text: string, place: number): number {
  const blank = text.indexOf(' ', place);
  return blank < 0 || blank > place + PIECE ? place : blank;
}

/**
 * Leaves out the least useful parts until the rest, as markdown, fits the budget: the turns of an episode and those around a turn
 * before the hit itself, then whole hits and facts, the last first. A long turn is reduced to an excerpt that suits the query.
 */
export async function fitBudget<T extends RecalledParts>(
  recalled: T,
  { maxTokens, query }: Omit<Budget, 'maxTokens'> & { maxTokens: number | null },
): Promise<T> {
  if (maxTokens === null) return recalled;
  const pieces = await byUse(recalled, maxTokens);
  const { taken, costs } = await takeWithin(pieces, recalled.asOf, { maxTokens, query });
  const { facts, hits, leftOut } = recalled;
  for (;;) {
    const kept = {
      ...recalled,
      facts: taken.flatMap((piece) => ('fact' in piece ? [piece.fact] : [])),
      hits: taken.flatMap((piece) => ('hit' in piece ? [piece.hit] : [])),
    };
    const tokens = await countTokens(toMarkdown(kept, CONVERSATIONS), maxTokens * 2);
    if (taken.length === 0 || tokens <= maxTokens) {
      const whole = new Map(hits.map((hit) => [hit.rank, hit]));
      const details = kept.hits.filter((hit) => turnsOf(hit) < turnsOf(whole.get(hit.rank))).length;
      const omitted = {
        facts: leftOut.facts + facts.length - kept.facts.length,
        hits: leftOut.hits + hits.length - kept.hits.length,
        details: leftOut.details + details,
      };
      return { ...kept, leftOut: omitted };
    }
    // Removes pieces, at least one, until their own costs cover the excess.
    let over = tokens - maxTokens;
    while (over > 0 && taken.pop()) over -= costs[taken.length] ?? 0;
  }
}

/** Orders pieces by usefulness: facts up to their share, then the hits, then the other facts. */
async function byUse({ facts, hits }: RecalledParts, maxTokens: number): Promise<Piece[]> {
  let room = maxTokens * FACTS_SHARE;
  let first = 0;
  for (const fact of facts) {
    room -= await countTokens(factLine(fact, CONVERSATIONS.get()), room);
    if (room < 0) break;
    first += 1;
  }
  return [
    ...facts.slice(0, first).map((fact) => ({ fact })),
    ...hits.map((hit) => ({ hit })),
    ...facts.slice(first).map((fact) => ({ fact })),
  ];
}

/** How many turns a hit has besides its own. */
function turnsOf(hit: Hit | undefined): number {
  if (hit?.kind === 'EPISODE') return hit.turns.length;
  return hit?.kind === 'TURN' ? hit.before.length + hit.after.length : 0;
}

/**
 * Takes the hits that fit, each in the fullest version that does, and the facts up to the first that does not. A hit that fits in
 * no version takes no place from those behind it.
 */
async function takeWithin(
  pieces: readonly Piece[],
  asOf: Date,
  budget: Budget,
): Promise<{ taken: Piece[]; costs: number[] }> {
  const taken: Piece[] = [];
  const costs: number[] = [];
  let room = budget.maxTokens;
  const fits = async (piece: Piece): Promise<boolean> => {
    if (lengthOf(piece) > room * MOST_CHARACTERS) return false;
    const cost = await countTokens(textOf(piece, asOf), room);
    if (cost > room) return false;
    room -= cost;
    taken.push(piece);
    costs.push(cost);
    return true;
  };
  const anyFits = async (versions: readonly (() => Piece)[]): Promise<boolean> => {
    for (const version of versions) {
      if (await fits(version())) return true;
    }
    return false;
  };
  let takesFacts = true;
  for (const piece of pieces) {
    const isFact = 'fact' in piece;
    if (isFact && !takesFacts) continue;
    const isTaken = await anyFits(versionsOf(piece, budget));
    if (isFact) takesFacts = isTaken;
  }
  return { taken, costs };
}

/** A piece and its shorter versions, the fullest first: an episode without its turns, and an excerpt of a long turn alone. */
function versionsOf(piece: Piece, { maxTokens, query }: Budget): (() => Piece)[] {
  const whole = () => piece;
  if ('fact' in piece) return [whole];
  const { hit } = piece;
  if (hit.kind === 'EPISODE' && hit.turns.length > 0) {
    return [whole, () => ({ hit: { ...hit, turns: [] } })];
  }
  if (hit.kind !== 'TURN') return [whole];
  const most = Math.round(maxTokens * OWN_SHARE * TOKEN_CHARACTERS);
  const alone = { ...hit, before: [], after: [] };
  return [
    whole,
    ...(turnsOf(hit) > 0 ? [() => ({ hit: alone })] : []),
    ...(hit.turn.text.length > most
      ? [() => ({ hit: { ...alone, excerpt: excerpt(hit.turn.text, query, most) } })]
      : []),
  ];
}

/** The length of what a piece quotes: a text that is far too long is not even counted. */
function lengthOf(piece: Piece): number {
  if ('fact' in piece || piece.hit.kind !== 'TURN') return 0;
  const { before, turn, after, excerpt: shown = turn.text } = piece.hit;
  return [...before, ...after].reduce((sum, { text }) => sum + text.length, shown.length);
}

const textOf = (piece: Piece, asOf: Date): string =>
  'fact' in piece
    ? factLine(piece.fact, CONVERSATIONS.get())
    : hitText(piece.hit, asOf, CONVERSATIONS);
