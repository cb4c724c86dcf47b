/** A line that is empty except for its heading. */
const EMPTY = /^(?:\p{L}[\p{L} ]{0,40}:)?[\s.]*$/u;

/** Removes statements from a text of lines with headings, and lines that have only their heading left. */
export function withoutStatements(text: string, statements: readonly string[]): string {
  const longestFirst = statements.toSorted((a, b) => b.length - a.length);
  return text
    .split('\n')
    .map((line) => longestFirst.reduce(without, line).replace(/ {2,}/g, ' ').trim())
    .filter((line) => !EMPTY.test(line))
    .join('\n');
}

/** Removes a statement only as a whole: "I like tea" is not removed from "I like tea with milk". */
function without(line: string, statement: string): string {
  const words = statement.replace(/\s+/g, ' ').trim();
  const at = words === '' ? -1 : line.indexOf(words);
  if (at < 0) return line;
  const [before, after] = [line.slice(0, at), line.slice(at + words.length)];
  const ends = /[\p{L}\p{N}]$/u.test(words) ? /^(?:\.|$)/ : /^(?: |$)/;
  const isWhole = /(?:^|[.!?:] +)$/.test(before) && ends.test(after);
  return isWhole ? before + after.replace(/^\./, '') : line;
}
