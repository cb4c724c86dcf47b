/** Matches an escape or the name of a group, which keep their case, or else a capital letter. */
const PART = /\\[pP]\{[^}]+\}|\\u\{\w+\}|\\u\w{4}|\\x\w\w|\\k<\w+>|\(\?<\w+>|\\.|\p{Lu}/gsu;

const lowerPattern = (source: string): string =>
  source
    .replace(PART, (found) => (found.length === 1 ? found.toLowerCase() : found))
    // The capital letters of a text are compared as small ones.
    .replaceAll('\\p{Lu}', '\\p{CWU}');

const NONE = { text: '', lower: '' };
let last = NONE;
/** Lower case, with the length of the text: only the capital I with a dot becomes two characters. */
function lowerText(text: string): string {
  // Many patterns are tried on one text. It is not kept for longer, since it may be forgotten.
  if (text !== last.text) {
    if (last === NONE) {
      setImmediate(() => {
        last = NONE;
      });
    }
    last = { text, lower: text.replaceAll('İ', 'I').toLowerCase() };
  }
  return last.lower;
}

/**
 * A regular expression that ignores case like one with the flags "iu": it compares pattern and text in lower case, and its
 * matches are of the text as it was. With those flags V8 compares each letter with a set of letters and does not join words that begin
 * alike: a pattern with many words then takes twice the memory, and three times as long to compile. Unlike with them, "İ" is an i.
 */
export class IgnoringCase extends RegExp {
  /** @param flags without "i" and "u" */
  constructor(pattern: string | RegExp, flags = '') {
    // `matchAll` makes a copy of a pattern that is in lower case already.
    const source = typeof pattern === 'string' ? lowerPattern(pattern) : pattern.source;
    super(source, [...new Set(`${flags}du`)].join(''));
  }

  override test(text: string): boolean {
    return super.exec(lowerText(text)) !== null;
  }

  override exec(text: string): RegExpExecArray | null {
    const match = super.exec(lowerText(text));
    if (!match?.indices) return null;
    const original = (at: [number, number] | undefined) => at && text.slice(...at);
    const { groups } = match.indices;
    // A group without a match is undefined, though the type says otherwise.
    const parts = match.indices.map(original) as string[];
    return Object.assign(match, parts, {
      input: text,
      ...(groups && {
        groups: Object.fromEntries(
          Object.entries(groups).map(([name, at]) => [name, original(at) as string]),
        ),
      }),
    });
  }
}
