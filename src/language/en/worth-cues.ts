import type { Role } from '../../shared/role.ts';
import { pattern } from '../text/pattern.ts';
import { isAcknowledgement } from './capture-cues.ts';
import { isEnglish } from './is-english.ts';
import { eventsIn, narrativeContentOf, sentencesIn } from './narrative.ts';

const EMOTION =
  /!{2,}|\b[A-Z]{4,}\b|\b(?:omg|no{3,}|ye{2,}s+|cried|crying|scared|relie(?:f|ved)|proud|heartbroken|in tears)\b|[😭🎉❤🥳😍💔🙌]/u;
const JOKE = /\b(?:lol|lmao|ha(?:ha)+\w*|imagine|if i (?:won|just)|joking|kidding)\b|[😂💀🤣]/iu;
const INSTRUCTION =
  /\b(?:don'?t|never|always|pls|please|stop|call me|keep it|from now on|no more)\b/i;
const LESSON = pattern('i')`
  \b(?:lesson|rule|from now on|next time|never again|learn(?:ed|t)?|remember|(?:write|note) (?:that|this|it) down
  |note (?:that|this|to self)|for (?:life|next|the record)|always|turns out|the trick|mistake
  |should(?:n'?t)?(?: ?ha?ve|'ve)|secret)\b
`;
/** Describes the speaker or those close to them. That is a fact, which needs no episode. */
const SELF_DESCRIPTION = pattern('i')`
  \b(?:i'?m (?:an?|the)\b|i am an?\b|my (?:\w+ )?(?:is|name|wife|husband|boss|sister|brother|mum|mom|dad|son
  |daughter|partner|gf|bf)\b|i (?:live|work|have|own|lead|run)\b|i'?ve got\b)
`;
const ASKS =
  /\?\s*$|^(?:what|whats|how|where|when|who|which|why|can|could|should|do|does|did|is|are|any)\b/i;

/** Counts of people's sentences by what they do. `events` and `lessons` are counted in sentences that are no questions. */
export type WorthCues = {
  sentences: number;
  questions: number;
  emotions: number;
  jokes: number;
  instructions: number;
  /** Sentences about an event. */
  events: number;
  /** Sentences about a lesson learned. */
  lessons: number;
  selfDescriptions: number;
  /** Turns in which an assistant confirms that it has noted something. */
  acknowledged: number;
  /** See `narrativeContentOf`. */
  narrativeContent: number;
};

/** Counts the cues that turns do or do not deserve an episode. Null if fewer than half of the people's sentences are English. */
export function worthCuesIn(turns: readonly { role: Role; text: string }[]): WorthCues | null {
  const people = turns.filter(({ role }) => role === 'USER' || role === 'OTHER');
  const sentences = people.flatMap(({ text }) => sentencesIn(text));
  if (sentences.length === 0) return null;
  if (sentences.filter(isEnglish).length * 2 < sentences.length) return null;
  const stated = sentences.filter((sentence) => !ASKS.test(sentence));
  const count = (cue: RegExp, among = sentences) => among.filter((one) => cue.test(one)).length;
  return {
    sentences: sentences.length,
    questions: count(ASKS),
    emotions: count(EMOTION),
    jokes: count(JOKE),
    instructions: count(INSTRUCTION),
    events: eventsIn(stated),
    lessons: count(LESSON, stated),
    selfDescriptions: count(SELF_DESCRIPTION, stated),
    acknowledged: turns.filter(({ role, text }) => role === 'ASSISTANT' && isAcknowledgement(text))
      .length,
    narrativeContent: narrativeContentOf(turns),
  };
}
