/** A regular expression of the code, or of a library that reads users' text. */
export type Pattern = {
  source: string;
  flags: string;
  /** Where it is written or built, such as "src/language/text/terms.ts:14". The same expression may occur in several places. */
  places: string[];
  /** Whether this project wrote it. */
  isOwn: boolean;
};

/** The verdict on one expression. */
export type Verdict = {
  pattern: Pattern;
  /**
   * `proven`: it takes linear time for every text. `tried`: it was not proven, but no rule objects and no hostile text was
   * slow. `refused`: some text makes it slow.
   */
  outcome: 'proven' | 'tried' | 'refused';
  /** Why it is refused, or why it is not proven. */
  reason: string;
  /** A text that makes it slow, as code; empty if none is known. */
  attack: string;
};

/** Returns each expression once, with all its places. It is our own if one of its places is in our code. */
export function distinct(patterns: Iterable<Pattern>): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const pattern of patterns) {
    const key = `/${pattern.source}/${pattern.flags}`;
    const existing = found.get(key);
    if (existing === undefined) {
      found.set(key, { ...pattern, places: [...pattern.places] });
      continue;
    }
    existing.isOwn ||= pattern.isOwn;
    existing.places = [...new Set([...existing.places, ...pattern.places])];
  }
  return [...found.values()];
}
