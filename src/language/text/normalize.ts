/**
 * Combining marks are put in order letter by letter, which takes quadratic time in a row of thousands of them, as
 * nobody writes it: a text is normalised in pieces of this many UTF-16 units.
 */
const PIECE = 512;
/** What may not begin a piece: it belongs to what stands before it. Marks, the later letters of Hangul, half of a pair. */
const BELONGS = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\udc00-\udfff]/u;

/** Where a piece that begins at `start` ends: before a letter that normalises on its own, if there is one. */
function endOf(text: string, start: number): number {
  const most = start + PIECE;
  if (most >= text.length) return text.length;
  for (let end = most; end > start; end -= 1) {
    if (!BELONGS.test(text.charAt(end)) && !isHalf(text, end)) return end;
  }
  return isHalf(text, most) ? most - 1 : most;
}

const isHalf = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;

/** A text in a Unicode normalisation form, in time that grows with its length whatever it holds. */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (text.length <= PIECE) return text.normalize(form);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    pieces.push(text.slice(start, end).normalize(form));
    start = end;
  }
  return pieces.join('');
}
