import { eventsIn, isEnglish, sentencesIn, tellingOf } from '../../language/en/telling.ts';
import { pattern } from '../../language/text/pattern.ts';
import { wordCount } from '../../language/text/terms.ts';
import { logitOf, sigmoid } from '../core/logistic.ts';
import type { Role } from '../core/role.ts';
import { WORTH_WEIGHTS } from './worth-weights.ts';

const MINUTE = 60_000;
/** After such a pause somebody comes with what they came for; what follows at once is often an aside. */
const SITTING = 30 * MINUTE;
const LONGEST = 1_440;
/** More turns of people say no more. */
const MANY = 5;
/** The model has seen no talk with more of them. */
const TOO_MANY = 8;
/** Fewer words of people tell a fact at most. */
const FEWEST_WORDS = 6;

/** Signs in what people say of talk that is worth an episode, or is none. */
const EMOTION =
  /!{2,}|\b[A-Z]{4,}\b|\b(?:omg|no{3,}|ye{2,}s+|cried|crying|scared|relie(?:f|ved)|proud|heartbroken|in tears)\b|[😭🎉❤🥳😍💔🙌]/u;
const JOKE = /\b(?:lol|lmao|ha(?:ha)+\w*|imagine|if i (?:won|just)|joking|kidding)\b|[😂💀🤣]/iu;
const INSTRUCTION =
  /\b(?:don'?t|never|always|pls|please|stop|call me|keep it|from now on|no more)\b/i;
const LESSON = pattern('i')`
  \b(?:lesson|rule|from now on|next time|never again|learn(?:ed|t)?|remember
  |(?:write|note) (?:that|this|it) down|note (?:that|this|to self)|for (?:life|next|the record)|always|turns out
  |the trick|mistake|should(?:n'?t)?(?: ?ha?ve|'ve)|secret)\b
`;
/** Somebody tells who or what they are or have: a fact, which is known without an episode. */
const OF_THEMSELVES = pattern('i')`
  \b(?:i'?m (?:an?|the)\b|i am an?\b|my (?:\w+ )?(?:is|name|wife|husband|boss|sister|brother|mum|mom|dad|son
  |daughter|partner|gf|bf)\b|i (?:live|work|have|own|lead|run)\b|i'?ve got\b)
`;
/** An assistant says that something is noted. */
const NOTED = pattern('i')`
  \b(?:(?:it's|that's|it is|is|all|duly) (?:noted|saved|stored|updated|recorded|changed)
  |i(?:'ve| have|'ll| will) (?:just )?(?:now )?(?:noted?|updated?|changed?|replaced?|removed?|saved?|stored?
  |corrected?|correct|remember(?:ed)?|recorded?|(?:keep|kept) (?:that|it) in mind
  |(?:put|made a note|add(?:ed)?) (?:that|it|of|her|him|them|this)))\b
  |^(?:noted|saved|stored|updated|corrected|recorded|changed|got it|understood)\b
  |\b(?:noted|saved|updated|corrected|recorded)[.!]*$
`;
/** What is noted is said at once: a long answer costs no more. */
const READ = 2_000;
const ASKS =
  /\?\s*$|^(?:what|whats|how|where|when|who|which|why|can|could|should|do|does|did|is|are|any)\b/i;

/** Whether an assistant says that what it was given is noted. */
export const isNoted = (text: string): boolean =>
  NOTED.test(text.slice(0, READ).replaceAll('’', "'").replace(/\s+/g, ' '));

/** A closed segment as far as its worth depends on it. */
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

/**
 * What the model goes by; null where the people's sentences are not English or say too
 * little, and of longer talk than it was fitted on.
 */
export function worthFeatures(input: WorthInput): number[] | null {
  const { turns, startedAt, endedAt, saidBefore, decisions, changed } = input;
  const people = turns.filter(({ role }) => role === 'USER' || role === 'OTHER');
  const words = people.reduce((sum, { text }) => sum + wordCount(text), 0);
  if (people.length > TOO_MANY || words < FEWEST_WORDS) return null;
  const sentences = people.flatMap(({ text }) => sentencesIn(text));
  if (sentences.length === 0) return null;
  if (sentences.filter(isEnglish).length * 2 < sentences.length) return null;
  const told = sentences.filter((sentence) => !ASKS.test(sentence));
  const count = (pattern: RegExp, of = sentences) => of.filter((one) => pattern.test(one)).length;
  const share = (pattern: RegExp) => count(pattern) / sentences.length;
  const minutes = (endedAt.getTime() - startedAt.getTime()) / MINUTE;
  const pause = saidBefore ? startedAt.getTime() - saidBefore.getTime() : Number.POSITIVE_INFINITY;
  return [
    Math.log1p(eventsIn(told)),
    pause > SITTING ? 1 : 0,
    Math.min(2, changed),
    Math.log1p(count(EMOTION)),
    share(ASKS),
    share(JOKE),
    share(INSTRUCTION),
    Math.log1p(count(LESSON, told)),
    Math.log1p(Math.min(LONGEST, Math.max(0, minutes))),
    Math.log1p(Math.min(MANY, people.length)),
    Math.min(2, decisions),
    tellingOf(turns),
    Math.log1p(count(OF_THEMSELVES, told)),
    Math.log1p(turns.filter(({ role, text }) => role === 'ASSISTANT' && isNoted(text)).length),
  ];
}

/** How likely a closed segment is worth an episode by what people say in it, 0-1; null = it is to be judged by other signs. */
export function worthOf(input: WorthInput): number | null {
  const features = worthFeatures(input);
  return features && sigmoid(logitOf(WORTH_WEIGHTS, features));
}
