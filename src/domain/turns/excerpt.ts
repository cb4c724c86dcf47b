import { cut } from '../../language/text/cut.ts';
import { EXCERPT_OF } from './turn.ts';

const CUT = '…';
const BETWEEN_SENTENCES = /(?<=[.!?])\s+|\n+/;
/** Words that occur in any question. */
const COMMON = new Set(
  (
    'a an and are at be by can did do does for from had has have he her his how i in is it its me my of on ' +
    'or our she so that the their them then there they this to was we were what when where which who whom ' +
    'why will with would you your'
  ).split(' '),
);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON.has(word));

/**
 * The most useful sentences of a text for a message, in their order: sentences that share words with the message are
 * preferred, then earlier ones. "…" marks omissions.
 * @param most the longest result, in characters
 */
export function excerpt(text: string, message: string, most: number): string {
  if (text.length <= most) return text;
  const messageWords = new Set(wordsOf(message));
  const sentences = cut(text, EXCERPT_OF)
    .split(BETWEEN_SENTENCES)
    .filter((sentence) => sentence.trim() !== '');
  const shared = sentences.map(
    (sentence) => new Set(wordsOf(sentence).filter((word) => messageWords.has(word))).size,
  );
  const byUse = [...sentences.keys()].sort((a, b) => (shared[b] ?? 0) - (shared[a] ?? 0) || a - b);
  const taken = new Set<number>();
  let room = most;
  for (const at of byUse) {
    const length = (sentences[at] ?? '').length + CUT.length + 1;
    if (length > room) continue;
    taken.add(at);
    room -= length;
  }
  const [best = 0] = byUse;
  if (taken.size === 0) return `${cut(sentences[best] ?? '', most).trimEnd()}${CUT}`;
  return joined(sentences, taken);
}

/** The last question in a text, as a text of at most `most` characters. A short text is returned as it is. */
export function questionIn(text: string, most: number): string {
  if (text.length <= most) return text;
  const sentences = cut(text, EXCERPT_OF).split(BETWEEN_SENTENCES);
  const question = sentences.findLast((sentence) => sentence.includes('?')) ?? text;
  return question.length <= most ? question.trim() : `${cut(question, most).trimEnd()}${CUT}`;
}

/** Joins the sentences that were taken, with one "…" for each gap. */
function joined(sentences: readonly string[], taken: ReadonlySet<number>): string {
  const parts: string[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (taken.has(at)) parts.push(sentence.trim());
    else if (parts.at(-1) !== CUT) parts.push(CUT);
  }
  return parts.join(' ');
}
