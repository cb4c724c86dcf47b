/** The similarity of two items, 0-1, for each pair. */
export type Similarities = readonly (readonly number[])[];

/** The cosine of two bags of weighted terms. */
export function termCosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0;
  for (const [term, weight] of a) dot += weight * (b.get(term) ?? 0);
  const length = (bag: ReadonlyMap<string, number>) => {
    let sum = 0;
    for (const weight of bag.values()) sum += weight * weight;
    return Math.sqrt(sum);
  };
  return dot > 0 ? dot / (length(a) * length(b)) : 0;
}

/** ln(1 + n / df) for every term of the bags: rare terms weigh most. */
export function rarities(bags: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const having = new Map<string, number>();
  for (const bag of bags)
    for (const term of bag.keys()) having.set(term, (having.get(term) ?? 0) + 1);
  return new Map([...having].map(([term, count]) => [term, Math.log(1 + bags.length / count)]));
}

/** Every pair's similarity by `measure`, negatives as 0. */
export function similarities<Item>(
  items: readonly Item[],
  measure: (a: Item, b: Item) => number,
): number[][] {
  const table = items.map(() => items.map(() => 1));
  for (let i = 0; i < items.length; i++) {
    for (let j = 0; j < i; j++) {
      const value = Math.max(0, measure(items[i] as Item, items[j] as Item));
      (table[i] as number[])[j] = value;
      (table[j] as number[])[i] = value;
    }
  }
  return table;
}

const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * How central each item is: continuous LexRank (Erkan & Radev 2004), a random walk over the
 * similarities that restarts at items by their `prior`. Scaled so that the greatest is 1.
 */
export function centrality(table: Similarities, prior: readonly number[]): number[] {
  const size = table.length;
  const whole = prior.reduce((sum, value) => sum + value, 0);
  const start = prior.map((value) => (whole > 0 ? value / whole : 1 / size));
  const outgoing = table.map((row, i) =>
    row.reduce((sum, value, j) => sum + (i === j ? 0 : value), 0),
  );
  let ranks = start;
  for (let round = 0; round < ROUNDS; round++) {
    const before = ranks;
    ranks = start.map((share, j) => {
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const out = outgoing[i] ?? 0;
        // Without neighbours the walk restarts.
        const step = out > 0 ? (i === j ? 0 : (table[i]?.[j] ?? 0)) / out : share;
        sum += (before[i] ?? 0) * step;
      }
      return (1 - DAMPING) * share + DAMPING * sum;
    });
  }
  const greatest = Math.max(...ranks, Number.EPSILON);
  return ranks.map((rank) => rank / greatest);
}

/** How much quality counts against novelty in a choice, and from which similarity two items are the same. */
const REDUNDANCY = { relevance: 0.7, same: 0.85 } as const;

/**
 * Items in the order of maximal marginal relevance (Carbonell & Goldstein 1998): each next one is
 * good and unlike those taken before. Items as alike as `same` to a taken one are left out.
 * @returns places in `scores`
 */
export function diverse(
  scores: readonly number[],
  table: Similarities,
  options = REDUNDANCY as { relevance: number; same: number },
): number[] {
  const left = new Set(scores.keys());
  const taken: number[] = [];
  while (left.size > 0) {
    let best = -1;
    let bestWorth = Number.NEGATIVE_INFINITY;
    for (const place of left) {
      const nearest = Math.max(0, ...taken.map((other) => table[place]?.[other] ?? 0));
      if (nearest >= options.same) {
        left.delete(place);
        continue;
      }
      const worth = options.relevance * (scores[place] ?? 0) - (1 - options.relevance) * nearest;
      if (worth > bestWorth) [best, bestWorth] = [place, worth];
    }
    if (best < 0) break;
    left.delete(best);
    taken.push(best);
  }
  return taken;
}
