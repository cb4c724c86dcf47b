import { worthCuesIn } from '../../language/en/worth-cues.ts';
import { wordCount } from '../../language/text/terms.ts';
import { MINUTE } from '../../shared/duration.ts';
import type { Role } from '../../shared/role.ts';
import { logitOf, sigmoid } from '../core/logistic.ts';
import { WORTH_WEIGHTS } from './worth-weights.ts';

/** After a pause of this length people come with a purpose; what follows without a pause is often an aside. */
const SITTING = 30 * MINUTE;
/** Minutes. A longer segment counts as one of this length. */
const LONGEST = 1_440;
/** More turns of people than these count as this many. */
const MANY = 5;
/** The model was fitted on talk with at most this many turns of people. */
const TOO_MANY = 8;
/** Fewer words of people than these state at most a fact. */
const FEWEST_WORDS = 6;

/** What the model knows of a closed segment. */
export type WorthInput = {
  turns: readonly { role: Role; text: string }[];
  startedAt: Date;
  endedAt: Date;
  /** When the turn of its thread before it was said; null = it is the first. */
  saidBefore: Date | null;
  decisions: number;
  /** Tools that changed something. */
  changed: number;
};

/** The features of the model; null if the people's sentences are not English or too few, or if there are more turns than it was fitted on. */
export function worthFeatures(input: WorthInput): number[] | null {
  const { turns, startedAt, endedAt, saidBefore, decisions, changed } = input;
  const people = turns.filter(({ role }) => role === 'USER' || role === 'OTHER');
  const words = people.reduce((sum, { text }) => sum + wordCount(text), 0);
  if (people.length > TOO_MANY || words < FEWEST_WORDS) return null;
  const cues = worthCuesIn(turns);
  if (!cues) return null;
  const minutes = (endedAt.getTime() - startedAt.getTime()) / MINUTE;
  const pause = saidBefore ? startedAt.getTime() - saidBefore.getTime() : Number.POSITIVE_INFINITY;
  return [
    Math.log1p(cues.events),
    pause > SITTING ? 1 : 0,
    Math.min(2, changed),
    Math.log1p(cues.emotions),
    cues.questions / cues.sentences,
    cues.jokes / cues.sentences,
    cues.instructions / cues.sentences,
    Math.log1p(cues.lessons),
    Math.log1p(Math.min(LONGEST, Math.max(0, minutes))),
    Math.log1p(Math.min(MANY, people.length)),
    Math.min(2, decisions),
    cues.narrativeContent,
    Math.log1p(cues.selfDescriptions),
    Math.log1p(cues.acknowledged),
  ];
}

/** The probability that a closed segment deserves an episode, by what people say in it; null = the model cannot say. */
export function worthOf(input: WorthInput): number | null {
  const features = worthFeatures(input);
  return features && sigmoid(logitOf(WORTH_WEIGHTS, features));
}
