import { normalized } from '../../language/text/normalize.ts';

/** A vocabulary piece and its log-probability, as in the model's `vocab.json`; the index is the token's id. */
export type Vocabulary = readonly (readonly [piece: string, score: number])[];

type Node = { children: Map<string, Node>; id: number; score: number };

/** The first pieces are control symbols, which never occur in text. */
const RESERVED = 6;
const UNKNOWN = 0;
/** The rest of a longer text is ignored: 1,024 tokens of English are about half as many code points. */
const MAX_CODE_POINTS = 8_192;

function buildTrie(vocabulary: Vocabulary): Node {
  const root: Node = { children: new Map(), id: -1, score: 0 };
  for (const [id, [piece, score]] of vocabulary.entries()) {
    if (id < RESERVED) continue;
    let node = root;
    for (const symbol of piece) {
      const next = node.children.get(symbol) ?? { children: new Map(), id: -1, score: 0 };
      node.children.set(symbol, next);
      node = next;
    }
    node.id = id;
    node.score = score;
  }
  return root;
}

/** The pieces that begin at this symbol; if there are none, an unknown piece of one symbol. */
function* matches(root: Node, symbols: readonly string[], start: number) {
  let found = false;
  let node: Node | undefined = root;
  for (let end = start; node && end < symbols.length; ) {
    node = node.children.get(symbols[end]!);
    end++;
    if (!node || node.id < 0) continue;
    found = true;
    yield { end, id: node.id, score: node.score };
  }
  if (!found) yield { end: start + 1, id: UNKNOWN, score: 0 };
}

/** For each position, the id of the last piece on the best path to it. */
function bestPieces(root: Node, symbols: readonly string[]): Int32Array {
  const best = new Float64Array(symbols.length + 1);
  const pieces = new Int32Array(symbols.length + 1);
  for (let start = 0; start < symbols.length; start++) {
    for (const { end, id, score } of matches(root, symbols, start)) {
      const total = score + best[start]!;
      if (best[end] !== 0 && total < best[end]!) continue;
      best[end] = total;
      pieces[end] = id;
    }
  }
  return pieces;
}

/**
 * The SentencePiece unigram tokenizer of Universal Sentence Encoder lite: best path over the pieces' log-probabilities,
 * spaces written as U+2581. Returns a function from text to token ids, runs of unknown characters merged into one 0.
 *
 * Its results equal those of `@energetic-ai/embeddings`, whose tokenizer takes quadratic time (minutes for 100 kB). That
 * library gives the score 0 to a position at which no piece ends. The model's vectors depend on it, so we do the same.
 */
export function createTokenizer(vocabulary: Vocabulary): (text: string) => number[] {
  const root = buildTrie(vocabulary);
  const lengths = vocabulary.map(([piece]) => piece.length);

  return (text) => {
    const read = text.slice(0, MAX_CODE_POINTS * 2);
    if (read.length === 0) return [];
    const plain = normalized(read, 'NFKC')
      .slice(0, MAX_CODE_POINTS * 2)
      .replaceAll(' ', '\u2581');
    const symbols = Array.from(`\u2581${plain}`).slice(0, MAX_CODE_POINTS);
    const pieces = bestPieces(root, symbols);
    const tokens: number[] = [];
    for (let end = symbols.length; end > 0; ) {
      const id = pieces[end]!;
      if (id !== UNKNOWN || tokens.at(-1) !== UNKNOWN) tokens.push(id);
      end -= lengths[id]!;
    }
    return tokens.reverse();
  };
}
