/**
 * A text without the characters of a kind at its end. An expression such as `/[.!]+$/` would try
 * every run of them anew, which takes a time that grows with the square of a run's length.
 */
export function withoutEnd(text: string, kind: RegExp): string {
  let end = text.length;
  while (end > 0 && kind.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text up to where something is found first; the whole of it if it is not. */
export function upTo(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return at < 0 ? text : text.slice(0, at);
}

/** Whether a text has both, the second after where the first begins. One expression with ".*" between them would be tried from every place. */
export function hasInOrder(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && second.test(text.slice(at));
}
