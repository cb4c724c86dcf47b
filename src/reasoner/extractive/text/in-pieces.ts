import { headOf } from './clip.ts';

/** Splits a text into pieces of at most `most` characters, at the ends of words if possible, without losing characters. */
export function inPieces(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    // `headOf` returns nothing if the beginning is only spaces.
    const piece = headOf(rest, most) || rest.slice(0, most);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
