import { headOf } from './clip.ts';

/** A text in pieces of at most so many characters that make it again, cut at the ends of words where it has such. */
export function inPieces(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    // Of blanks alone nothing is left before a border.
    const piece = headOf(rest, most) || rest.slice(0, most);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
