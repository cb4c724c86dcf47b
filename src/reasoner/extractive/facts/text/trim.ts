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
