/**
 * A text without the letters at its end that an expression for one letter matches: in one pass from the end, where
 * `replace(/x+$/, '')` tries every row of them on the way there.
 */
export function trimEndOf(text: string, letter: RegExp): string {
  let end = text.length;
  while (end > 0 && letter.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
