import type { Role } from '../../shared/role.ts';
import { pattern, source } from '../text/pattern.ts';
import { termsOf } from '../text/terms.ts';
import { isEnglish } from './is-english.ts';
import { MONTH_NAMES, WEEKDAY } from './time/named-date.ts';
import { LEMMAS } from './words/english.ts';

/** The function of a sentence in a conversation. */
type SentenceKind = 'EVENT' | 'PLAN' | 'STATE' | 'QUESTION' | 'REQUEST' | 'REACTION';

const alternatives = (words: string): string => words.trim().split(/\s+/).join('|');

const NO_VERB = new Set(
  `child man woman person foot tooth mouse goose life wife knife half shelf leaf loaf wolf good bad far`.split(
    ' ',
  ),
);
/** Past forms that are usually something else than a verb in the past. */
const SELDOM_PAST = new Set(
  'become lay lead lit shot rose saw ground drawn meant known'.split(' '),
);
const PAST_FORMS = [...LEMMAS]
  .filter(([form, lemma]) => !NO_VERB.has(lemma) && !SELDOM_PAST.has(form))
  .map(([form]) => form);
const PAST = new RegExp(
  source`
    \b(?:was|were|wasn't|weren't|had|hadn't|did|didn't|couldn't|(?:i|we|he|she|they|it|who) (?:saw|put|cut|set|let
    |hit|quit|hurt|shut|split|cost|spread)|${PAST_FORMS.join('|')}|[a-z]{2,}ed)\b
  `,
  'i',
);
/** Words that end in "ed" but are no verbs in the past. */
const ADJECTIVES = pattern('gi')`
  \b(?:need|feed|seed|speed|weed|indeed|red|bed|shed|tired|bored|interested|supposed|scared|excited|confused|worried
  |sacred|naked|hundred|unused|detailed|limited)\b
`;

const LATER = source`
  (?:tomorrow|tonight|next (?:week|month|year|time|\w+day)|(?:on|until|by|from) (?:the |\w+ )?${WEEKDAY}|(?:in|by
  |from|until) (?:${MONTH_NAMES})\b|on (?:the )?\d|\d+(?:st|nd|rd|th)? (?:${MONTH_NAMES})|in (?:a|two|three
  |\d+) (?:days?|weeks?|months?)|this (?:weekend|afternoon|evening))
`;
const PLAN = new RegExp(
  source`
    \b(?:(?:i|we|he|she|they)(?:'ll| will| won't| shall)|(?:i|we)(?:'m|'re| am| are) (?:going|about) to|${LATER})\b
    |^will\b(?! (?:it|he|she|they|you|we|i|there|the|this|that)\b)
  `,
  'i',
);

const LEAD = source`
  ^(?:(?:and|ok|okay|so|hey|hi|hello|but|also|oh|well|yes|no|then|now|please|great|fine|hmm|um|good morning
  |by the way|btw|something else|other thing|one more thing|different (?:topic|question))\b[\s,.:!-]*)*
`;
const WHO =
  '(?:it|he|she|they|you|we|i|there|the|this|that|these|those|my|our|your|any|anyone|anybody|somebody|someone)\\b';
const ASKS = new RegExp(
  source`
    ${LEAD}(?:(?:what|how|who|whose|why)\b(?! a\b)|(?:when|where|which)(?:'s| (?:is|are|was|does|do|did|will|can)\b
    |(?: \w+){1,2}$)|(?:is|are|am|was|were|do|does|can|could|will|would|should|has|have|isn't|aren't|don't|doesn't
    |can't|couldn't|won't|shouldn't) ${WHO}|did (?:you|we|they|he|she|i|any\w+|the)\b)
  `,
  'i',
);
const ORDERS = alternatives(`
tell give show add set turn play translate book find run renew cancel reserve send put make do order check look read write remind call
detach remove delete archive open close start stop restart reload list convert define explain say repeat spell sing recommend suggest
save note update change correct forget remember upgrade restore push pull roll rotate disable enable empty submit pay upload attach
get fetch search divide multiply calculate count sort rename create schedule switch increase decrease dim mute pause skip wake let's
`);
const REQUESTS = new RegExp(
  source`
    ${LEAD}(?:(?:${ORDERS})\b|(?:can|could|would|will) (?:you|i)\b|i(?:'d| would) like you to\b|i need you to\b)
    |^please\b|\b(?:please|would you|could you|will you)[.!]?$
  `,
  'i',
);
const ABOUT_YOU =
  /^(?:\W*(?:(?:and|but|oh|well|so)\W+)+)?you(?:'re|'ve|'ll| are| have| were| can| know)?\b/i;

/** Words of chat that say nothing about a topic. */
const EMPTY = new Set(
  termsOf(
    `great good nice cool awesome lovely perfect fine ok okay sure right true exactly thanks thank thx cheers please welcome bye hello hi
    morning evening night afternoon day haha lol well just really very too thing stuff lot bit know think guess mean say see look get got
    go come want need like yes no maybe kind sort interesting funny sorry wow yay bright awake`,
  ).keys(),
);

/** How many characters of a turn are read, so that a pasted page does not cost more. */
const READ = 4_000;

/** Splits a turn into sentences, also at line breaks. */
export function sentencesIn(text: string): string[] {
  return text
    .slice(0, READ)
    .replaceAll('’', "'")
    .split(/\n+|(?<=[.!?…])\s+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The distinct terms of a sentence that say something about a topic. */
function informativeTerms(sentence: string): string[] {
  return [...termsOf(sentence).keys()].filter((term) => !EMPTY.has(term));
}

/** The function of a sentence. In other languages than English only questions with a question mark are recognised. */
function kindOf(sentence: string): SentenceKind {
  if (/\?["')]*$/.test(sentence)) return 'QUESTION';
  if (informativeTerms(sentence).length === 0) return 'REACTION';
  if (ASKS.test(sentence)) return 'QUESTION';
  if (REQUESTS.test(sentence)) return 'REQUEST';
  if (ABOUT_YOU.test(sentence)) return 'REACTION';
  if (PAST.test(sentence.replace(ADJECTIVES, ' '))) return 'EVENT';
  return PLAN.test(sentence) ? 'PLAN' : 'STATE';
}

/** Whether a turn asks a question or requests something. */
export const asksIn = (text: string): boolean =>
  sentencesIn(text).some((sentence) => ['QUESTION', 'REQUEST'].includes(kindOf(sentence)));

/** How much a full sentence of each kind adds to the narrative content. */
const WORTH: Record<SentenceKind, number> = {
  EVENT: 1,
  PLAN: 0.8,
  STATE: 0.4,
  QUESTION: 0,
  REQUEST: 0.1,
  REACTION: 0,
};
/** With this many terms a sentence counts in full. */
const FULL = 3;
/** The sum of worth at which the narrative content reaches two thirds. */
const STORY = 2.5;

type SpokenText = { role: Role; text: string };

/** The narrative content of turns: how much people say of past events, the present and plans, 0-1. */
export function narrativeContentOf(
  turns: readonly SpokenText[],
  counts: (turn: number) => boolean = () => true,
) {
  const worth = turns.reduce((sum, { role, text }, turn) => {
    if ((role !== 'USER' && role !== 'OTHER') || !counts(turn)) return sum;
    return sum + sentencesIn(text).reduce((own, sentence) => own + worthOf(sentence), 0);
  }, 0);
  return 1 - Math.exp(-worth / STORY);
}

function worthOf(sentence: string): number {
  const kind = kindOf(sentence);
  const worth = kind === 'STATE' && !isEnglish(sentence) ? WORTH.PLAN : WORTH[kind];
  return worth * Math.min(1, informativeTerms(sentence).length / FULL);
}

/** How many of these sentences are about an event. */
export const eventsIn = (sentences: readonly string[]): number =>
  sentences.filter((sentence) => kindOf(sentence) === 'EVENT').length;

/** The share of people's sentences that only ask, request or react; 1 if there are no sentences. */
export function routineShareOf(turns: readonly SpokenText[]): number {
  const kinds = turns
    .filter(({ role }) => role === 'USER' || role === 'OTHER')
    .flatMap(({ text }) => sentencesIn(text).map(kindOf));
  if (kinds.length === 0) return 1;
  const routine = kinds.filter((kind) => WORTH[kind] < WORTH.STATE).length;
  return routine / kinds.length;
}
