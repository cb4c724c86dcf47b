import { pattern } from '../../../../language/text/pattern.ts';
import { hasInOrder } from '../text/phrases.ts';
import type { Scene } from '../text/scene.ts';

const ONLY_NOW = pattern('i')`
  ^[^.,;!?]*\b(?:today|tonight|right now|at the moment|this (?:morning|evening|week)|for (?:this|that) (?:one|trip)
  |(?:more|better) here)\b
`;
/** Something seen or owned, not a taste: "the colours", "my grey dog". With a capital it would be a name. */
const POINTS_AT_HAND = pattern('u')`
  ^(?:my|our|his|her|their|your|this|that|these|those|all (?:the|of|these|those|my|your)) |^the (?!beach|sea|seaside
  |ocean|outdoors|mountains|countryside|cold|heat|snow|rain|sun|winter|summer|autumn|spring|opera|theatre|cinema
  |ballet|cello|piano|guitar|violin|forest|woods|water|dark|gym|smell|taste|texture|sound|feeling|colou?r (?:red|blue
  |green|yellow|purple|orange|pink|black|white|teal|grey)|night|great outdoors|quiet|early morning|desert|river|lake
  |city|news|harp|news|oxford comma|(?:window|aisle|middle) seat|stairs|train|bus|tram|countryside|blues)(?!\p{Lu})
`;

/** Whether a text is about something at hand or about today, rather than a taste. */
export const isAtHand = (text: string): boolean => POINTS_AT_HAND.test(text) || ONLY_NOW.test(text);

const VAGUE = pattern('i')`
  ^(?:(?:all|most|many|some|other|new|nice|good|different|more) )?(?:people|persons?|things?|stuff|times?|kinds?
  |everyone|life|work|school|options?|pictures?|photos?|ones?|h?i|lots?|others?|company|days?|moments?)$
`;
/** A remark, not a pastime: "I love getting lost in it", "I love having you here". */
const VAGUE_DEED = pattern('i')`
  ^(?:getting (?!up\b)|being (?!outdoors|outside|alone|in nature|by the sea|at home)|having |making (?:sure
  |a difference|you|it|people)|talking (?:to|with|about)$|breaking |seeing |knowing |hearing |finding |working (?!out
  |with|from home|nights)|living (?!alone|by|near|in the)|doing (?:this|that|it|so|things)|going (?:there|back|home)
  |escaping |thinking |using (?:this|that|it)|sharing |(?:bother|complain|interrupt|break|disappoint|admit|say|ask|nag
  |rush|sound|be|do|think|wait|repeat)\b)
`;

const ABOUT_AN_ANSWER = pattern('i')`
  \b(?:suggestions?|ideas?|answers?|version|draft|result|option|plan|your|yours|you|joke|font here|example|wording
  |phrasing|title|response|tone of|look of|sound of|paragraph|sentence|line|thought|thinking|attitude|enthusiasm
  |question|fact that|way (?:you|it|this)|one you|recommendations?|explanation|logo|layout|spirit|one)$
`;

/** Whether a liking is a remark about something at hand: "I love the second version", "I don't like this font". */
export const isFleeting = (thing: string, whole: string): boolean =>
  ABOUT_AN_ANSWER.test(thing) ||
  /\b(?:you|your|this|these|that one)\b/i.test(thing) ||
  /\b(?:you|your)\b/i.test(whole) ||
  VAGUE.test(thing) ||
  VAGUE_DEED.test(thing);

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
  ^(?:(?:[\p{L}-]+ ){0,3}(?:rooms?|hotels?|guest ?houses?|tickets?|flights?|restaurants?|places?|tables?|attractions?
  |seats? (?:at|for)|location|price range|options?|something|one|somewhere)\b|to (?:leave|arrive|go|depart|stay|eat
  |book|travel|have|get|see|visit)\b|(?:leaving|arriving|departing|after|before|around) |(?:the )?(?:north|south|east
  |west|cent(?:re|er)|cheap|expensive|moderate)\b)
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
