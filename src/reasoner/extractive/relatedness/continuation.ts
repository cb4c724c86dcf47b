import { termWeight } from '../../../language/en/term-weight.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { termsOf } from '../../../language/text/terms.ts';

/** Openers that continue earlier talk. */
const OPENER = pattern('i')`
  ^(?:(?:oh|ah|ok|okay|well|hey|hi|so|yes|sorry|um|hm+)[,.!\s]+)*(?:and\b|also\b|plus\b|or\b|then\b|but\b|what about\b
  |how about\b|one more thing\b|another thing\b|by the way,? (?:about|on)\b|follow(?:ing)?[- ]up\b|back to\b
  |coming back\b|going back\b|continuing\b|on (?:that|this|the same)\b|still\b)
`;
/** References to the earlier talk itself. */
const BACK = pattern('i')`
  \b(?:as (?:i|we|you) (?:said|mentioned|discussed|told)|like (?:i|you|we) said|about (?:that|this|it|those|these
  |them)\b|(?:the )?same (?:one|thing|place|time|as)|that one|the (?:other|second|first|last|next) one|instead
  |any (?:news|update)|again|you (?:said|told me|mentioned|recommended|suggested)|we (?:talked|discussed|agreed)
  |earlier|last time)\b
`;
/** A pronoun that may refer to earlier talk. */
const PRONOUN = /\b(?:it|that|they|them|those|he|she|him|there)\b/i;
const EXPLETIVE = pattern('i')`
  \b(?:it (?:rain|snow)|(?:is|was|will) (?:it|there)\b.{0,8}\b(?:rain|cold|hot|warm|any|an?)\b|there (?:is|are|was
  |were|will)|it's (?:late|early|time)|that (?:is|are|has|have|leaves?|goes|can|will|would|serves?)\b|that's (?:great
  |good|fine|cool|nice))
`;

/**
 * How much a message sounds like a continuation, 0-1, by its own words: "Oh, and what is it on Thursday?"
 * Applies to short messages only: a long one has its own topic.
 */
export function continuationOf(text: string): number {
  let informative = 0;
  for (const term of termsOf(text).keys()) if (termWeight(term) >= 1) informative += 1;
  if (informative > 6) return 0;
  const opens = OPENER.test(text.trim()) ? 0.5 : 0;
  const back = BACK.test(text) ? 0.4 : 0;
  const pronoun = PRONOUN.test(text.replace(EXPLETIVE, '')) && informative <= 3 ? 0.35 : 0;
  // A message that says little by itself omits its topic: "and for six people?"
  const short = informative <= 3 && opens + back > 0 ? SHORT : 0;
  // A single cue is common in any talk.
  return Math.max(0, 2 * Math.min(1, opens + back + pronoun + short) - 1);
}

const SHORT = 0.35;
