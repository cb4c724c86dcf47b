import { trimEndOf } from '../../../language/text/trim-end.ts';

/** Letters that belong to the one before them, and what joins two signs to one. */
const JOINED = /^(?:\p{M}|\u{200d})/u;

/** How far before the limit a border is looked for, as a share of it. */
const SEARCHED = 0.4;

/** A text without control characters other than tab and line break, and without lone surrogates. */
export function storable(text: string): string {
  return text
    .replace(/\r\n?|[\u{85}\u{2028}\u{2029}]/gu, '\n')
    .replace(/(?![\n\t])\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}+/gu, '');
}

/** The first characters of a text, at most `most`, no character of it parted. */
function start(text: string, most: number): string {
  let end = most;
  while (end > most - 16 && JOINED.test(text.slice(end))) end -= 1;
  return text.slice(0, end).replace(/(?:\p{Cs}|\u{200d})$/u, '');
}

/**
 * At most `most` characters from the start of a text: up to the end of a sentence or else of a word,
 * where one lies near.
 */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = start(text, most);
  const near = kept.slice(Math.floor(most * (1 - SEARCHED)));
  const stop = Math.max(...['. ', '! ', '? ', '\n', '。'].map((mark) => near.lastIndexOf(mark)));
  const space = near.lastIndexOf(' ');
  const border = stop >= 0 ? stop + 1 : space;
  return border < 0 ? kept : kept.slice(0, kept.length - near.length + border).trimEnd();
}

/** At most `most` characters from the end of a text, from the start of a sentence or word on. */
export function tailOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(-most).replace(/^(?:\p{Cs}|\p{M}|\u{200d})+/u, '');
  const near = kept.slice(0, Math.floor(most * SEARCHED));
  const stop = near.search(/[.!?]\s|[\n。]/u);
  const border = stop >= 0 ? stop : near.indexOf(' ');
  return kept.slice(border + 1).trimStart();
}

/** A text of at most `most` characters, cut at a word's end, with a sign that something is missing. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = start(text, most - 1);
  const space = /\s/.test(text.charAt(kept.length)) ? kept.length : kept.search(/\s\S*$/u);
  const whole = space > most * (1 - SEARCHED) ? kept.slice(0, space) : kept;
  return `${trimEndOf(withoutLastFigure(whole), /[\s,;:–—-]/)}…`;
}

/** Without a figure at the end: what it counts was cut off, "at 5" of "at 5 am". */
function withoutLastFigure(text: string): string {
  const space = text.lastIndexOf(' ');
  return space > 0 && /\d$/.test(text) ? text.slice(0, space) : text;
}
