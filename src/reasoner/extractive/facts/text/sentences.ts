import { inPieces } from '../../text/clip.ts';

const ABBREVIATION =
  /\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|e\.g|i\.e|approx|No|Inc|Ltd|a\.m|p\.m|\p{Lu})\.$/u;

/** The length of the longest abbreviation ("approx.") with the character before it. */
const LONGEST_ABBREVIATION = 10;
/** The rules try every position in a sentence, so longer ones are read in pieces. In characters. */
const LONGEST = 300;

/** Splits a text at stops, line breaks and emoji. Each sentence keeps its stop. */
export function writtenSentences(text: string): string[] {
  const sentences: string[] = [];
  let sentence = '';
  const marked = text
    .replace(/(?:\p{Extended_Pictographic}|\u200d|\ufe0f|[\u{1F3FB}-\u{1F3FF}])+/gu, '\n')
    .replace(/(?<=\s)(?:[:;]-?[)(DPpo/|]|<3|\^\^|xx?)(?=\s|$)/g, '\n');
  for (const piece of marked.split(/(?<=[.!?…]["')\]]{0,3})\s+|\n+/u)) {
    sentence = sentence === '' ? piece.trim() : `${sentence} ${piece.trim()}`;
    if (sentence.length < LONGEST && ABBREVIATION.test(sentence.slice(-LONGEST_ABBREVIATION)))
      continue;
    if (sentence !== '') sentences.push(sentence);
    sentence = '';
  }
  const all = sentence === '' ? sentences : [...sentences, sentence];
  return all.flatMap((one) => inPieces(one, LONGEST).map((part) => part.trim()));
}
