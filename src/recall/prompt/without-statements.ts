/** A line of which only its heading is left. */
const EMPTY = /^(?:\p{L}[\p{L} ]{0,40}:)?[\s.]*$/u;

/** A text of headed lines without these statements; what is left of a line under its heading stays. */
export function withoutStatements(text: string, statements: readonly string[]): string {
  const longestFirst = statements.toSorted((a, b) => b.length - a.length);
  return text
    .split('\n')
    .map((line) => longestFirst.reduce(without, line).replace(/ {2,}/g, ' ').trim())
    .filter((line) => !EMPTY.test(line))
    .join('\n');
}

/** Only as a whole: "I like tea" is not taken out of "I like tea with milk". */
function without(line: string, statement: string): string {
  const words = statement.replace(/\s+/g, ' ').trim();
  const at = words === '' ? -1 : line.indexOf(words);
  if (at < 0) return line;
  const [before, after] = [line.slice(0, at), line.slice(at + words.length)];
  const ends = /[\p{L}\p{N}]$/u.test(words) ? /^(?:\.|$)/ : /^(?: |$)/;
  const isWhole = /(?:^|[.!?:] +)$/.test(before) && ends.test(after);
  return isWhole ? before + after.replace(/^\./, '') : line;
}
