import { inPieces } from '../../text/in-pieces.ts';

const ABBREVIATION =
  /\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|e\.g|i\.e|approx|No|Inc|Ltd|a\.m|p\.m|\p{Lu})\.$/u;

/** "approx." and what stands before it. */
const LONGEST_ABBREVIATION = 10;
/** The rules try every place of a sentence: a longer one is read in pieces. */
const LONGEST = 300;

/** A text cut at its stops, line breaks and emoji, each sentence with its stop. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let held = '';
  const marked = text
    .replace(/(?:\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1F3FB}-\u{1F3FF}])+/gu, '\n')
    .replace(/(?<=\s)(?:[:;]-?[)(DPpo/|]|<3|\^\^|xx?)(?=\s|$)/g, '\n');
  for (const piece of marked.split(/(?<=[.!?…]["')\]]{0,3})\s+|\n+/u)) {
    held = held === '' ? piece.trim() : `${held} ${piece.trim()}`;
    if (held.length < LONGEST && ABBREVIATION.test(held.slice(-LONGEST_ABBREVIATION))) continue;
    if (held !== '') sentences.push(held);
    held = '';
  }
  const all = held === '' ? sentences : [...sentences, held];
  return all.flatMap((sentence) => inPieces(sentence, LONGEST).map((part) => part.trim()));
}
