const SENTENCE_LIKE = /\b(?:I|i|i'm|im|my|me|we|our|is|am|are|was|will|don'?t)\b/;

/** Keeps a quoted word or name without its quotes, and removes a quoted sentence, which is somebody else's. */
function unquote(quoted: string): string {
  const inner = quoted.trim();
  const isWord = inner.split(/\s+/).length <= 4 && !SENTENCE_LIKE.test(inner);
  return isWord ? inner : ' ⟨quoted⟩ ';
}

/** Removes quoted sentences. A quote may run over several lines, but not over an empty one. */
export const withoutDoubleQuotes = (text: string): string =>
  text.replace(/"((?:[^"\n]|\n(?!\n|"))*)"/g, (_quote, inner: string) => unquote(inner));

/** Removes sentences in single quotes from a line. A quote before a letter is an apostrophe, unless it begins a word. */
export function withoutSingleQuotes(line: string): string {
  let made = '';
  let from = 0;
  let open = -1;
  for (const { index } of line.matchAll(/'/g)) {
    const after = line.slice(index + 1, index + 3);
    const mayClose = open >= 0 && !/^\p{L}/u.test(after);
    if (mayClose && /^(?:$|[\s.,;:!?)])/.test(after)) {
      made += line.slice(from, open) + unquote(line.slice(open + 1, index));
      from = index + 1;
      open = -1;
      continue;
    }
    const mayOpen = index === 0 || /[\s(:,]/.test(line.charAt(index - 1));
    if (mayClose) open = -1;
    if (open < 0 && mayOpen) open = index;
  }
  return made + line.slice(from);
}
