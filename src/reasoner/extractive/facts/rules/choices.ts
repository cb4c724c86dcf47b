import { pattern } from '../../../../language/text/pattern.ts';
import type { Scene } from '../text/scene.ts';
import { hasInOrder } from '../text/trim.ts';

const STANDING =
  /\b(?:always|usually|generally|in general|never|normally|every|all my|by far|most|everything|typically|whenever|as a rule)\b/i;
const ASKED_FOR_NOW = pattern('i')`
  \b(?:would you (?:like|prefer)|looking for|in mind|shall I|should I|do you (?:have|want) (?:a|any) (?:preference
  |particular)|any preference|interested in|narrow (?:it|that|this) down|how about|which (?:one|of)|want me to
  |I (?:have|found|can|could)|there (?:is|are))\b|\b(?:price range|area of town|book (?:it|one|a))\b
`;
const ASKED_WHICH =
  /\b(?:what|which) (?:type|kind|sort|price|area|part|day|time|size|style|cuisine)\b/i;
/** Things that are booked, bought or looked up for an occasion. */
const OCCASIONAL = pattern('iu')`
  ^(?:(?:[\p{L}-]+ ){0,3}(?:rooms?|hotels?|guest ?houses?|tickets?|flights?|restaurants?|places?|tables?
  |attractions?|seats? (?:at|for)|location|price range|options?|something|one|somewhere)\b|to (?:leave|arrive|go
  |depart|stay|eat|book|travel|have|get|see|visit)\b|(?:leaving|arriving|departing|after|before
  |around) |(?:the )?(?:north|south|east|west|cent(?:re|er)|cheap|expensive|moderate)\b)
`;

/** Whether a liking is a choice for the moment rather than a taste: "I like expensive restaurants", "creative food, please". */
export function isChoice(thing: string, sentence: string, { asked }: Scene): boolean {
  if (STANDING.test(sentence)) return false;
  return (
    OCCASIONAL.test(thing.trim()) ||
    /\bplease\b[.!]*$/i.test(sentence) ||
    (asked !== null && (ASKED_FOR_NOW.test(asked) || hasInOrder(asked, ASKED_WHICH, /\?/)))
  );
}
