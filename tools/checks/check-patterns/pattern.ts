/** A regular expression of the code, or of a library that reads users' text. */
export type Pattern = {
  source: string;
  flags: string;
  /** Where it is written or built: "src/language/text/terms.ts:14". The same expression may stand in several places. */
  places: string[];
  /** Whether this project wrote it. */
  isOwn: boolean;
};

/** What is found out about one. */
export type Verdict = {
  pattern: Pattern;
  /**
   * `proven`: it takes linear time whatever the text. `tried`: nobody could prove it, no rule objects to it, and no hostile
   * text was slow. `refused`: it can be made slow.
   */
  outcome: 'proven' | 'tried' | 'refused';
  /** Why it is refused, or why it is not proven. */
  reason: string;
  /** A text that makes it slow, as code; empty if none is known. */
  attack: string;
};

/** Each expression once, with all its places; it is our own if we wrote it in one of them. */
export function distinct(patterns: Iterable<Pattern>): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const pattern of patterns) {
    const key = `/${pattern.source}/${pattern.flags}`;
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, { ...pattern, places: [...pattern.places] });
      continue;
    }
    known.isOwn ||= pattern.isOwn;
    known.places = [...new Set([...known.places, ...pattern.places])];
  }
  return [...found.values()];
}
