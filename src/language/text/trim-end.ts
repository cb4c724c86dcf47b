/**
 * Removes the characters at the end of a text that match an expression for one character. Takes one pass from the end,
 * whereas `replace(/x+$/, '')` tries every run of them in the text.
 */
export function trimEndOf(text: string, letter: RegExp): string {
  let end = text.length;
  while (end > 0 && letter.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
