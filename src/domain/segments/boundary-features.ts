import { type Cue, cuesOf } from '../../language/en/boundary-cues.ts';
import { vectorFeatures } from './boundary-vectors.ts';
import { readWords, wordFeatures } from './boundary-words.ts';
import { deviationOf, meanOf, type PerGap, trust } from './gap-statistics.ts';

/** The informative cues of the turn that would open a topic, and of those around it. */
const HERE: readonly Cue[] = [
  ...(['opensRequest', 'request', 'orders', 'doYou', 'asksLikes', 'asksAboutYou'] as const),
  ...(['andYou', 'opensWh', 'opensAuxiliary', 'asks', 'answers', 'reacts', 'praises'] as const),
  ...(['meToo', 'continues', 'shifts', 'greets', 'opensPronoun', 'pronoun', 'thanks'] as const),
  ...(['done', 'details', 'digits', 'anythingElse', 'sorry', 'me', 'you', 'recent'] as const),
  ...(['thatsAll', 'welcome', 'exclaims'] as const),
];
const BEFORE: readonly Cue[] = [
  ...(['asks', 'anythingElse', 'done', 'thanks', 'welcome', 'thatsAll', 'request'] as const),
  ...(['opensRequest', 'doYou', 'details', 'digits', 'greets', 'answers'] as const),
];
const TWO_BEFORE: readonly Cue[] = ['thanks', 'details', 'welcome', 'asks'];
const AFTER: readonly Cue[] = ['answers', 'request', 'details', 'asks', 'anythingElse'];

/** Cues of talk that wants something done, and of chat. */
const TASK: readonly Cue[] = ['request', 'done', 'anythingElse', 'details', 'orders'];
const CHAT: readonly Cue[] = ['asksLikes', 'andYou', 'meToo', 'praises', 'exclaims'];
/** A prior for the shares: turns that every conversation is assumed to have, and their share with such cues. */
const KIND_PRIOR = { turns: 4, share: 0.4 } as const;

/** Every feature, by name, for every gap between two turns. */
export type BoundaryFeatures = {
  gaps: number;
  values: ReadonlyMap<string, PerGap>;
  /** The kind of talk: shares of its turns, 0-1. */
  kind: { task: number; chat: number };
};

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * The features of the gaps between turns, from which `boundary-model` computes log odds. They include neither the parity of
 * the index nor the speaker.
 * @param vectors unit vectors, one for each turn; null = words only
 */
export function boundaryFeatures(
  texts: readonly string[],
  vectors: readonly Float32Array[] | null,
): BoundaryFeatures {
  const gaps = Math.max(0, texts.length - 1);
  const cues = texts.map(cuesOf);
  const kind = { task: shareWith(cues, TASK), chat: shareWith(cues, CHAT) };
  if (gaps === 0) return { gaps, values: new Map(), kind };
  const words = readWords(texts);
  const lengths = texts.map((text) => text.trim().split(/\s+/).length);
  const perGap = (of: (turn: number) => number): PerGap =>
    Array.from({ length: gaps }, (_, index) => of(index + 1));
  const sign = (cue: Cue, offset: number) => perGap((turn) => cues[turn + offset]?.[cue] ?? 0);
  const values: [string, PerGap][] = [
    ...Object.entries(vectors ? vectorFeatures(vectors, words) : {}),
    ...Object.entries(wordFeatures(words)),
    ...HERE.map((cue): [string, PerGap] => [cue, sign(cue, 0)]),
    ...BEFORE.map((cue): [string, PerGap] => [`before${capital(cue)}`, sign(cue, -1)]),
    ...TWO_BEFORE.map((cue): [string, PerGap] => [`twoBefore${capital(cue)}`, sign(cue, -2)]),
    ...AFTER.map((cue): [string, PerGap] => [`after${capital(cue)}`, sign(cue, 1)]),
    ...lengthFeatures(lengths, perGap),
    ['answered', perGap((turn) => ((cues[turn - 1]?.asks ?? 0) > (cues[turn]?.asks ?? 0) ? 1 : 0))],
    [
      'opensAsking',
      perGap((turn) => ((cues[turn]?.asks ?? 0) > (cues[turn - 1]?.asks ?? 0) ? 1 : 0)),
    ],
    [
      'refersBack',
      perGap((turn) => (cues[turn]?.opensPronoun && (words.terms[turn]?.size ?? 0) <= 3 ? 1 : 0)),
    ],
    ['early', perGap((turn) => Math.exp(-turn / 3))],
    ['windowLength', perGap(() => trust(gaps))],
    ['task', perGap(() => kind.task)],
    ['chat', perGap(() => kind.chat)],
  ];
  return { gaps, values: new Map(values), kind };
}

function lengthFeatures(
  lengths: readonly number[],
  perGap: (of: (turn: number) => number) => PerGap,
): [string, PerGap][] {
  const logs = lengths.map((length) => Math.log(length + 1));
  const [mean, deviation] = [meanOf(logs), Math.max(deviationOf(logs), 0.2)];
  const z = (turn: number) => (((logs[turn] ?? mean) - mean) / deviation) * trust(logs.length - 1);
  const short = (turn: number) => ((lengths[turn] ?? 0) <= 4 ? 1 : 0);
  return [
    ['length', perGap(z)],
    ['short', perGap(short)],
    ['beforeLength', perGap((turn) => z(turn - 1))],
    ['beforeShort', perGap((turn) => short(turn - 1))],
  ];
}

function shareWith(cues: readonly Record<Cue, number>[], some: readonly Cue[]): number {
  const having = cues.filter((turn) => some.some((cue) => turn[cue] === 1)).length;
  const { turns, share } = KIND_PRIOR;
  return (having + turns * share) / (cues.length + turns);
}
