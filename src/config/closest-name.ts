/** How many letters may differ in a misspelt name. */
const MOST = 2;
/** Shorter names are too close to other ones. */
const SHORTEST = 6;

/** The name that somebody probably meant; null if none is close. */
export function closestName(written: string, names: readonly string[]): string | null {
  let best: { name: string; distance: number } | null = null;
  for (const name of names) {
    if (name.length < SHORTEST || Math.abs(name.length - written.length) > MOST) continue;
    const distance = editDistance(written, name);
    if (distance <= MOST && distance < (best?.distance ?? MOST + 1)) best = { name, distance };
  }
  return best?.name ?? null;
}

/** The least number of letters that are added, left out or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
