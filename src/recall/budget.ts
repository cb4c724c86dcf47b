import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KnownFact } from '../db/facts/recalled.ts';
import type { Hit } from './assemble.ts';
import { factLine, hitText, toMarkdown } from './format.ts';

/** How many were found but left out. `details`: episodes that are shown without their turns. */
export type LeftOut = { facts: number; hits: number; details: number };

type RecalledParts = { facts: KnownFact[]; hits: Hit[]; asOf: Date; leftOut: LeftOut };
type Piece = { fact: KnownFact } | { hit: Hit };

/** The share of the budget that known facts may take before the hits. */
const FACTS_SHARE = 0.5;
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
 * Leaves out the least useful parts until the rest, as markdown, fits the budget: the turns of an episode before the episode
 * itself, then whole hits and facts, the last first.
 */
export async function fitBudget<T extends RecalledParts>(
  recalled: T,
  maxTokens: number | null,
): Promise<T> {
  if (maxTokens === null) return recalled;
  const pieces = await byUse(recalled, maxTokens);
  const { taken, costs } = await takeWithin(pieces, recalled.asOf, maxTokens);
  const { facts, hits, leftOut } = recalled;
  for (;;) {
    const kept = {
      ...recalled,
      facts: taken.flatMap((piece) => ('fact' in piece ? [piece.fact] : [])),
      hits: taken.flatMap((piece) => ('hit' in piece ? [piece.hit] : [])),
    };
    const tokens = await countTokens(toMarkdown(kept, CONVERSATIONS), maxTokens * 2);
    if (taken.length === 0 || tokens <= maxTokens) {
      const details = kept.hits.filter((hit) => !hits.includes(hit)).length;
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

/** Takes pieces up to the first that does not fit. An episode that only fits without its turns is taken without them. */
async function takeWithin(
  pieces: readonly Piece[],
  asOf: Date,
  maxTokens: number,
): Promise<{ taken: Piece[]; costs: number[] }> {
  const taken: Piece[] = [];
  const costs: number[] = [];
  let room = maxTokens;
  const fits = async (piece: Piece): Promise<boolean> => {
    const cost = await countTokens(textOf(piece, asOf), room);
    if (cost > room) return false;
    room -= cost;
    taken.push(piece);
    costs.push(cost);
    return true;
  };
  for (const piece of pieces) {
    const [whole, short] = versionsOf(piece);
    if (whole && (await fits(whole))) continue;
    if (!(short && (await fits(short)))) break;
  }
  return { taken, costs };
}

const versionsOf = (piece: Piece): Piece[] =>
  'hit' in piece && piece.hit.kind === 'EPISODE' && piece.hit.turns.length > 0
    ? [piece, { hit: { ...piece.hit, turns: [] } }]
    : [piece];

const textOf = (piece: Piece, asOf: Date): string =>
  'fact' in piece
    ? factLine(piece.fact, CONVERSATIONS.get())
    : hitText(piece.hit, asOf, CONVERSATIONS);
