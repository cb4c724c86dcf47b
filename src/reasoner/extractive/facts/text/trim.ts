/** The text before the first match; the whole text if there is none. */
export function upTo(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return at < 0 ? text : text.slice(0, at);
}

/** Whether a text matches both patterns in this order. One expression with ".*" in between would be tried at every position. */
export function hasInOrder(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && second.test(text.slice(at));
}
