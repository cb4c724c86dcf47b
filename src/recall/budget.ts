import type { Hit } from './assemble.ts';
import { factLine, hitText, toMarkdown } from './format.ts';
import type { KnownFact } from './known-facts.ts';

/** How much was there and is not given. `details`: episodes whose words were left out, but not they themselves. */
export type LeftOut = { facts: number; hits: number; details: number };

type Recalled = { facts: KnownFact[]; hits: Hit[]; asOf: Date; leftOut: LeftOut };
type Piece = { fact: KnownFact } | { hit: Hit };
type CountTokens = (text: string) => number;

/** Of a budget, what known facts may take before the hits. */
const FACTS_SHARE = 0.5;
/** "(sources: 99 conversations)": counted for every fact, whatever the number. */
const CONVERSATIONS = { get: () => 99 };

/** The tokenizer's table is large: it is loaded when somebody counts. By o200k_base. */
const loadTokenizer = async (): Promise<CountTokens> =>
  (await import('../domain/tokens.ts')).tokensOf;

/** How many tokens a text has, by o200k_base. */
export const countTokens = async (text: string): Promise<number> => (await loadTokenizer())(text);

/**
 * Leaves out the least useful until what is left, as markdown, has at most so many tokens: an episode's words before the
 * episode, and whole hits and facts from the last on.
 */
export async function fitBudget<T extends Recalled>(
  recalled: T,
  maxTokens: number | null,
): Promise<T> {
  if (maxTokens === null) return recalled;
  const count = await loadTokenizer();
  const taken = takeWithin(byUse(recalled, maxTokens, count), recalled.asOf, maxTokens, count);
  const { facts, hits, leftOut } = recalled;
  for (;;) {
    const kept = {
      ...recalled,
      facts: taken.flatMap((piece) => ('fact' in piece ? [piece.fact] : [])),
      hits: taken.flatMap((piece) => ('hit' in piece ? [piece.hit] : [])),
    };
    if (taken.length === 0 || count(toMarkdown(kept, CONVERSATIONS)) <= maxTokens) {
      const details = kept.hits.filter((hit) => !hits.includes(hit)).length;
      const gone = {
        facts: leftOut.facts + facts.length - kept.facts.length,
        hits: leftOut.hits + hits.length - kept.hits.length,
        details: leftOut.details + details,
      };
      return { ...kept, leftOut: gone };
    }
    taken.pop();
  }
}

/** The most useful first: the first facts up to their share, then the hits, then the other facts. */
function byUse({ facts, hits }: Recalled, maxTokens: number, count: CountTokens): Piece[] {
  let room = maxTokens * FACTS_SHARE;
  const over = facts.findIndex((fact) => {
    room -= count(factLine(fact, CONVERSATIONS.get()));
    return room < 0;
  });
  const first = over < 0 ? facts.length : over;
  return [
    ...facts.slice(0, first).map((fact) => ({ fact })),
    ...hits.map((hit) => ({ hit })),
    ...facts.slice(first).map((fact) => ({ fact })),
  ];
}

/** Pieces up to the first that does not fit, an episode without its words where it does so. */
function takeWithin(
  pieces: readonly Piece[],
  asOf: Date,
  maxTokens: number,
  count: CountTokens,
): Piece[] {
  const taken: Piece[] = [];
  let room = maxTokens;
  for (const piece of pieces) {
    const fitting = versionsOf(piece).find((one) => count(textOf(one, asOf)) <= room);
    if (!fitting) break;
    room -= count(textOf(fitting, asOf));
    taken.push(fitting);
  }
  return taken;
}

const versionsOf = (piece: Piece): Piece[] =>
  'hit' in piece && piece.hit.kind === 'EPISODE' && piece.hit.turns.length > 0
    ? [piece, { hit: { ...piece.hit, turns: [] } }]
    : [piece];

const textOf = (piece: Piece, asOf: Date): string =>
  'fact' in piece
    ? factLine(piece.fact, CONVERSATIONS.get())
    : hitText(piece.hit, asOf, CONVERSATIONS);
