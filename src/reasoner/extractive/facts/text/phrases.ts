import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';

/** The text before the first match; the whole text if there is none. */
export function upTo(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return at < 0 ? text : text.slice(0, at);
}

/** Whether a text matches both patterns in this order. One expression with ".*" in between would be tried at every position. */
export function hasInOrder(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first);
  return at >= 0 && second.test(text.slice(at));
}

const END = /[,;:!?()⟨⟩]|\.(?=\s|$)|\.{2,}|…|\s[-–—]+\s|—/u;
const CLAUSE_WORD = pattern('i')`
  \s(?:and|but|so|because|cause|cuz|since|as|when|whenever|while|if|unless|though|although|which|who|whom|where|until
  |till|before|after|yet|plus|hence|than|even|however|can you|could you|no matter|what|how|that(?= (?:I|we|is|was|my
  |can|has)))\s
`;
const LINK = pattern('i')`
  \s(?:with|for|at|in|on|to|from|by|about|near|over|under|without|during|every|each|instead|via|per|like|into|around
  |across|through|out|up|off|between|among|against|except|not|is|are|was|were|has|have|had|will|would|can|do|does|did
  |I|we|my|you|please|whatever|anything|too|either)(?=\s|$)
`;
const TAIL = pattern('i')`
  [\s,](?:(?:pretty|quite|very|fairly|really|rather) (?:well|much)|really|a lot|so much|very much|too|as well
  |more than anything|more than most|these days|nowadays|now|anymore|btw|tbh|though|please|thanks|thank you|by the way
  |at all|ever|again|forever|the most|most of all|hands down|always|anyway|you know|right now|at the moment|currently
  |either|of course|mostly|mainly|actually|lately|recently|already|today|tonight|yesterday|to be honest|for now
  |above all|best|most|still|all the time|after all|once|instead|daily|regularly|sometimes|often|personally|though|yet
  |full[- ]time|part[- ]time|in general|from now on|going forward|in future|in the future|period|ok|okay|alright
  |everywhere|anywhere|here)$
`;

/** The maximum length of such words, in characters. */
const LONGEST_TAIL = 24;
function tailAt(text: string): number {
  const from = Math.max(0, text.length - LONGEST_TAIL);
  const at = text.slice(from).search(TAIL);
  return at < 0 ? at : from + at;
}

/** Removes words at the end of a clause that say nothing about the thing. */
export function withoutTail(text: string): string {
  let rest = trimEndOf(text.trim(), /[\s.,;:!?'-]/);
  for (let at = tailAt(rest); at >= 0; at = tailAt(rest)) {
    rest = trimEndOf(rest.slice(0, at), /[\s,]/);
  }
  return trimEndOf(rest, /[\s.,;:!?'-]/);
}

/** The rest of a clause, up to the next stop, comma or conjunction that opens another one. */
export const clauseOf = (text: string): string => withoutTail(upTo(upTo(text, END), CLAUSE_WORD));

const CLAUSE_END = pattern('i')`
  \s(?:but|so(?! that)|because|cuz|since|although|though|unless|if|(?:and|or) (?=(?:I|my|we|then|it|he|she|they|now
  |need|am|that|the|maybe)\b)|can you|could you|any (?:tips|ideas?|advice)|what|how|where|which)\b
`;

/** The rest of a clause, including "and" and "or" between nouns. */
export const deedOf = (text: string): string => withoutTail(upTo(upTo(text, END), CLAUSE_END));

/** Nouns that name nothing by themselves. */
const EMPTY_NOUN = source`
  idea|way|fact|first|second|third|last|new|other|one|look|sound|feel|result|plan|point|thing|rest|same|part
  |suggestion|answer|thought|version|option|draft|next|previous
`;
const NOT_A_THING = pattern('i')`
  ^(?:it|this|that|these|those|them|him|her|you|your|me|us|myself|how|what|when|where|why|who|which|to|ones?|both
  |either|neither|something|anything|everything|nothing|someone|everyone|the (?:${EMPTY_NOUN})|all (?:of|the|this
  |that)|so|more|less|most|much|many|a lot|here|there|just|not|no|being(?! (?:outdoors|outside|alone|in nature
  |by the (?:sea|water)|near))|having|an?(?: \w+)? (?:lot|bit|few|little|couple|minute|second|moment|look|hand)|very
  |too|his|their|its|my|our|I|we|other|another|any|some (?:of|more|other)|such|same|now|today|again|and|or|but|with
  |for|if|in|at|on|near|from|within|around|up|out|off|down|over|about|through|into|by|of|go|let|get)\b
`;

const NO_THING = pattern('i')`
  ^(?:the|an?) (?:${EMPTY_NOUN}|lot|bit|few|little|couple|minute|second|moment|hand)\b
`;

const GERUND =
  /^(?!(?:king|thing|spring|string|ring|wing|morning|evening|building|pudding|dressing|bring)\b)\p{L}+ing\b/iu;

/**
 * The noun phrase at the beginning of a text ("dark mode" of "dark mode in basically everything"); null
 * if it names nothing by itself ("it", "your idea").
 */
export function thingOf(text: string): string | null {
  const front = text
    .trim()
    .replace(/^(?:the|my|our|all|both|any|some|a|an|those|these) (?=\p{L})/iu, (det) =>
      /^(?:the|an?) $/i.test(det) && NO_THING.test(text) ? det : '',
    );
  if (NOT_A_THING.test(front)) return null;
  const clause = clauseOf(front);
  const thing = withoutTail(GERUND.test(clause) ? clause : upTo(clause, LINK));
  const words = thing.split(/\s+/).length;
  return thing === '' || words > 7 || !/\p{L}/u.test(thing) ? null : thing;
}

const PAIRED = pattern('i')`
  \b(?:salt and (?:vinegar|pepper)|mac and cheese|fish and chips|bed and breakfasts?|arts and crafts|rock and roll
  |drum and bass|black and white|gin and tonics?|peanut butter and jelly|bread and butter|rhythm and blues
  |sweet and sour|dungeons and dragons|cookies and cream|track and field|ham and cheese|cheese and onion
  |bacon and eggs|red and white|lord and savio\w+)\b
`;

/** The things in a list: "nuts, eggs and milk" → three. Items after a comma count only if the list ends with "and" or "or". */
export function thingsOf(spaced: string): string[] {
  // A pair that is one name must not be split.
  const text = spaced.replace(PAIRED, (pair) => pair.replace(' and ', ' & '));
  return splitThings(text).map((thing) =>
    spaced.includes(thing) ? thing : thing.replaceAll(' & ', ' and '),
  );
}

const LIST = pattern('u')`
  ^(?:[\p{L}\p{N}'’+#&.-]+(?: [\p{L}\p{N}'’+#&-]+){0,3})(?:, (?:[\p{L}\p{N}'’+#&-]+)
  (?: [\p{L}\p{N}'’+#&-]+){0,2}){0,8},? (?:and|or|nor) (?:[\p{L}\p{N}'’+#&-]+)(?: [\p{L}\p{N}'’+#&-]+){0,7}
`;

const ACTIVITY = pattern('i')`
  ^(?:go|play|sing|wear|hike|eat|cook|read|watch|run|swim|surf|come|take|make|work|live|enjoy|like|speak|drink|travel
  |visit|listen|talk|try|use|help|teach|sleep|dance|walk|ride|write|see|find|keep|give|think|know|feel|start|stop|look
  |ask|call|I|it|he|she|they|we|you|my|is|are|was|have|has|need|want|would|can|do|not|get|then|really|also|so|still
  |never|always|even|apparently|maybe|prefer|love|hate|everything|anything|now|wants?)\b
`;

function splitThings(text: string): string[] {
  const list = LIST.exec(text);
  if (!list) {
    const thing = thingOf(text);
    return thing === null ? [] : [thing];
  }
  const parts = list[0].split(/,? (?:and|or|nor) |, /);
  const items = parts.map((item) => thingOf(item));
  const first = items[0];
  if (first === null || first === undefined) return [];
  const isListed = (item: string | null): item is string =>
    item !== null &&
    item.split(' ').length <= 3 &&
    !ACTIVITY.test(item) &&
    !/\b(?:is|are|was|has|have|do|does|can|will)\b/i.test(item);
  const isOneClause =
    !LINK.test(parts[0] ?? '') &&
    !parts.slice(1).some((part) => /^(?:the|my|our|this|that|your|his|her|their) /i.test(part));
  return isOneClause && items.every(isListed) ? (items as string[]) : [first];
}
