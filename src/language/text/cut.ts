/** A character that belongs to the one before it: a mark or a zero-width joiner. */
const JOINED = /^(?:\p{M}|\u{200d})/u;
/** How many of them at the end of a text are left out, so that the character they belong to stays whole. */
const MOST_JOINED = 16;

/**
 * The beginning of a text, at most `most` UTF-16 units, without splitting a character: PostgreSQL refuses JSON with half a
 * letter (a lone surrogate).
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > most - MOST_JOINED && JOINED.test(text.slice(end))) end -= 1;
  return text.slice(0, end).replace(/(?:\p{Cs}|\u{200d})$/u, '');
}
