/**
 * Texts are normalised in pieces of this many UTF-16 units: sorting combining marks takes quadratic time, and an attacker
 * may send a run of thousands of them.
 */
const PIECE = 512;
/** Characters that belong to the one before them and so may not begin a piece: marks, later letters of Hangul, low surrogates. */
const BELONGS = /[\p{M}\u1160-\u11ff\ud7b0-\ud7ff\udc00-\udfff]/u;

/** The end of the piece that begins at `start`: before a character that normalises on its own, if possible. */
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

/** Normalises a text (Unicode normalisation forms) in linear time, whatever it contains. */
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
