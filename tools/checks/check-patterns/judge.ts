import { availableParallelism } from 'node:os';
import type { Target } from './attack.ts';
import { attackAll } from './attackers.ts';
import type { Pattern, Verdict } from './pattern.ts';
import { objection, proofOf } from './prove.ts';
import type { Attack } from './samples.ts';

/** How long proofs may take, in milliseconds. A busy machine proves fewer expressions, and finds fewer slow texts to try. */
export type Budget = {
  /** The timeout for the proof of one expression. */
  proof: number;
  /** The limit for all proofs together. Expressions that are left are only attacked. */
  proofs: number;
};

export const USUAL_BUDGET: Budget = { proof: 1_000, proofs: 30_000 };

/** The longest sentence, in characters. Libraries read sentences; our own expressions read texts of any length. */
const SENTENCE = 500;
const OWN = {
  lengths: [60, 300, 2_000, 20_000],
  most: 100,
  inProportion: true,
  count: 24,
} as const;
const FOREIGN = { most: 100, inProportion: false, count: 24 } as const;
/** The longest text for libraries that do not read whole sentences, by folder. */
const SHORTER: Readonly<Record<string, number>> = { 'node_modules/libphonenumber-js/': 40 };

const threads = (): number => Math.max(1, Math.min(4, availableParallelism()));

/** Judges every expression. Returns the verdicts in the order of the expressions. */
export async function judge(patterns: readonly Pattern[], budget: Budget): Promise<Verdict[]> {
  const verdicts = new Map<Pattern, Verdict>();
  const doubts = await prove(patterns, budget, verdicts);
  const left = patterns.filter((pattern) => !verdicts.has(pattern));
  const found = await attackAll(
    left.map((pattern) => ({ ...targetOf(pattern), known: doubts.get(pattern) ?? null })),
    threads(),
  );
  for (const [index, pattern] of left.entries()) {
    const slow = found[index];
    verdicts.set(
      pattern,
      slow
        ? refused(pattern, `it takes ${Math.round(slow.took)} ms`, slow.attack)
        : { pattern, outcome: 'tried', reason: 'no proof was found in time', attack: '' },
    );
  }
  return patterns.flatMap((pattern) => verdicts.get(pattern) ?? []);
}

function targetOf({ source, flags, isOwn, places }: Pattern): Omit<Target, 'known'> {
  if (isOwn) return { source, flags, ...OWN };
  const folder = Object.keys(SHORTER).find((one) =>
    places.every((place) => !isForeign(place) || place.startsWith(one)),
  );
  const longest = SHORTER[folder ?? ''] ?? SENTENCE;
  return { source, flags, ...FOREIGN, lengths: [Math.min(60, longest), longest] };
}

const isForeign = (place: string): boolean => place.startsWith('node_modules/');

const refused = (pattern: Pattern, reason: string, attack: string): Verdict => ({
  pattern,
  outcome: 'refused',
  reason,
  attack,
});

/** Tries to prove our own expressions, short ones first, since most of them take no time. Returns the texts that should make others slow. */
async function prove(
  patterns: readonly Pattern[],
  { proof, proofs }: Budget,
  verdicts: Map<Pattern, Verdict>,
): Promise<Map<Pattern, Attack>> {
  const own = patterns.filter(({ isOwn }) => isOwn);
  const open: Pattern[] = [];
  const doubts = new Map<Pattern, Attack>();
  for (const pattern of own) {
    const objected = objection(pattern);
    if (objected) verdicts.set(pattern, refused(pattern, objected.reason, objected.attack));
    else open.push(pattern);
  }
  open.sort((a, b) => b.source.length - a.source.length);
  const end = performance.now() + proofs;
  const work = async (): Promise<void> => {
    for (let pattern = open.pop(); pattern && performance.now() < end; pattern = open.pop()) {
      const found = await proofOf(pattern, proof);
      if (found?.isLinear === false) doubts.set(pattern, found.attack);
      if (found?.isLinear)
        verdicts.set(pattern, { pattern, outcome: 'proven', reason: '', attack: '' });
    }
  };
  await Promise.all(Array.from({ length: threads() }, work));
  return doubts;
}
