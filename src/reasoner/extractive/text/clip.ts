import { cut } from '../../../language/text/cut.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';

/** How far before the limit a boundary is searched for, as a share of the limit. */
const SEARCHED = 0.4;

/** Removes control characters other than tab and line break, and lone surrogates. */
export function storable(text: string): string {
  return text
    .replace(/\r\n?|[\u{85}\u{2028}\u{2029}]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}+/gu, '');
}

/**
 * At most `most` characters from the start of a text, up to the end of a sentence or else of a word, if
 * there is one near the limit.
 */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = cut(text, most);
  const near = kept.slice(Math.floor(most * (1 - SEARCHED)));
  const stop = Math.max(...['. ', '! ', '? ', '\n', '。'].map((mark) => near.lastIndexOf(mark)));
  const space = near.lastIndexOf(' ');
  const border = stop >= 0 ? stop + 1 : space;
  return border < 0 ? kept : kept.slice(0, kept.length - near.length + border).trimEnd();
}

/** At most `most` characters from the end of a text, beginning at a sentence or word if there is one near the limit. */
export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(-most).replace(/^(?:\p{Cs}|\p{M}|\u{200d})+/u, '');
  const near = kept.slice(0, Math.floor(most * SEARCHED));
  const stop = near.search(/[.!?]\s|[\n。]/u);
  const border = stop >= 0 ? stop : near.indexOf(' ');
  return kept.slice(border + 1).trimStart();
}

/** Cuts a text to at most `most` characters at the end of a word, with "…" at the end. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = cut(text, most - 1);
  const space = /\s/.test(text.charAt(kept.length)) ? kept.length : kept.search(/\s\S*$/u);
  const whole = space > most * (1 - SEARCHED) ? kept.slice(0, space) : kept;
  return `${trimEndOf(withoutLastFigure(whole), /[\s,;:–—-]/)}…`;
}

/** Without a figure at the end: what it counts was cut off, "at 5" of "at 5 am". */
function withoutLastFigure(text: string): string {
  const space = text.lastIndexOf(' ');
  return space > 0 && /\d$/.test(text) ? text.slice(0, space) : text;
}

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
