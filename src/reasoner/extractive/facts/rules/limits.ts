import { factKey } from '../../../../domain/facts/fact-key.ts';
import { MONTH_NAMES } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, END, NEGATIVE, rule, stated } from '../text/draft.ts';
import { thingsOf, upTo } from '../text/phrases.ts';
import { DIETS } from '../text/words.ts';

/** Drafts a limit: each thing of its kind (`front`) has its own key. */
const limit = (front: string, value: string, says: string, more?: Partial<Draft>): Draft =>
  stated('CONSTRAINT', value, says, {
    key: factKey(`constraint:${front}`, value),
    importance: 0.8,
    ...more,
  });

const SINCE_WHEN = pattern('i')`
  [ ](?:anymore|any longer|(?:in|since|back in|last|this|on) (?:${MONTH_NAMES}|spring|summer|autumn|winter|year|month
  |week|19\d\d|20\d\d)|(?:\w+ )?(?:years?|months?|weeks?) ago)\b
`;

const limits = (text: string, front: string, says: string, more?: Partial<Draft>): Draft[] =>
  thingsOf(upTo(text, SINCE_WHEN)).map((value) => limit(front, value, `${says} ${value}`, more));

const IN_JEST =
  /^(?:mornings?|mondays?|small talk|meetings|work|stupidity|bullshit|nonsense|exercise|paperwork|excel|jargon)$/i;
const allergic = (text: string, says: string, more?: Partial<Draft>): Draft[] =>
  limits(
    text.replace(/^(?:all|any|most|certain|some|both|raw) (?:(?:kinds|types|sorts) of )?/i, ''),
    'allergy',
    says,
    { importance: 0.95, ...more },
  ).filter(({ value }) => !IN_JEST.test(value));

const notAllergic = (text: string): Draft[] => allergic(text, 'is not allergic to', NEGATIVE);

/** Drafts allergies, with a statement of its own if it `says` something else. */
const reacts = (thing: string, says?: unknown): Draft[] =>
  allergic(thing, 'is allergic to').map((fact) => ({
    ...fact,
    ...(typeof says === 'string' && { statement: `The user ${says}` }),
  }));

const DIET = `(?<diet>${DIETS})`;
const eats = (value: string): Draft => limit('diet', value, `is ${value}`, { importance: 0.9 });
const eatsNot = (value: string): Draft =>
  limit('diet', value, `is not ${value}`, { importance: 0.9, ...NEGATIVE });
const IS_DIET = source`
  (?=[\s,.;!?)]|$)(?! (?:food|recipes?|restaurants?|options?|friends?|guests?|cooking|cheese|burger|curious|place|cake
  |café|cafe|shop)\b)
`;

/** "I have a severe" */
export const SUFFER = source`
  have(?: got| had)?|suffer(?: from)?|(?:have )?developed|(?:am )?(?:live|living|struggle|deal|dealing) with|(?:was
  |got|have been) diagnosed with|was born with|am prone to
`;
const SEVERE = source`
  (?:(?:severe|bad|serious|mild|terrible|slight|nasty|life-threatening|strong|lifelong|annoying|new|pretty bad
  |really bad|massive) ){0,4}
`;

export const DIET_AND_ALLERGY = [
  rule((thing) => notAllergic(upTo(thing, / (?:after all|anymore|at all|it turns out)\b/)))`
    We (?:am|are|was) (?:not|no longer|never) ~(?:allergic|intolerant) to (?<thing>.+)
  `,
  rule((thing) => asCorrections(notAllergic(thing)))`
    We (?:have )?(?:outgrown|outgrew|grown out of|lost|do not have|no longer have|got over) (?:(?:my|the|an?) )?
    (?<thing>[^,.;!?]+?)[- ](?:allergy|intolerance)
  `,
  rule((thing) => asCorrections(notAllergic(thing)))`
    my (?<thing>[^,.;!?]{2,30}?) allergy (?:is gone|has (?:gone|disappeared|cleared)|turned out|was a (?:false alarm
    |misdiagnosis))
  `,
  rule(
    reacts,
  )`(?:(?:I|we) (?:am|are|have been|have become|became|was) )?~(?:[a-z]+ly )?allergic to (?<thing>.+)`,
  rule(reacts)`
    We ~(?:${SUFFER}) (?:(?:an?|my|this|the) )?${SEVERE}(?:allerg(?:y|ies)|intolerance|anaphylaxis
    |reactions?) to (?<thing>.+)
  `,
  rule((thing, { groups: { kind = '' } }) =>
    /^(?:any|no|food|some|your|his|her|their|an?|the|many|seasonal|several)$/i.test(thing) &&
    !/^(?:food|seasonal)$/i.test(thing)
      ? null
      : reacts(thing, `has a ${thing} ${kind}.`),
  )`
    (?:(?:I|we) ~(?:${SUFFER})|(?:because of|due to|given|with|remember|mind|do not forget|about)) (?:(?:an?|my|this
    |the) )?${SEVERE}(?<thing>[\p{L}][\p{L} -]{1,30}?)[- ](?<kind>allerg(?:y|ies)|intolerance)\b
  `,
  rule(reacts)`
    my (?<thing>[\p{L}][\p{L} -]{1,25}?)[- ](?:allergy|intolerance) (?:means|is|makes|rules|flares|will|would|has|acts
    |and)
  `,
  rule((thing) => (TAKEN.test(thing) ? reacts(thing) : null))`
    We (?:am|are) ~(?:intolerant|sensitive) (?:to|of) (?<thing>.+)
  `,
  rule((thing, { groups: { kind = '' } }) => reacts(thing, `is ${thing} ${kind}.`))`
    We (?:am|are) ~(?<thing>lactose|gluten|fructose|histamine|dairy|wheat|caffeine|alcohol|soy|egg)[- ]
    (?<kind>intolerant|sensitive)
  `,
  rule(reacts)`
    (?<thing>[\p{L}][\p{L} ]{1,25}?) (?:gives?|brings?) me (?:out in )?(?:hives|a rash|anaphylaxis
    |an allergic reaction|swelling|out in)
  `,
  rule(eatsNot)`
    We (?:am|are) (?:not|no longer) (?!just |only |merely )~(?:(?:strictly|fully|an?) ){0,2}${DIET}
    (?: anymore)?${IS_DIET}
  `,
  rule((value) => asCorrections(eatsNot(value)))`
    We (?:have )?(?:stopped|quit|gave up) being (?:a )?${DIET}${IS_DIET}
  `,
  rule(eats)`
    We (?:have )?~(?:am|are|been|became|become|went|gone|turned|started|(?:have to |need to |only |try to )?(?:eat
    |cook|go|keep|stay|follow|do|live)|(?:am|are) (?:on|doing)|(?:switched|moved|converted) to) ~(?:(?:strict(?:ly)?
    |fully|an?|the|on|lifelong|committed|eating|ovo-lacto|to) ){0,4}${DIET}(?: diet| food| person| lifestyle| now
    | again)?${IS_DIET}
  `,
  rule(eats)`(?:as an?|my diet (?:is|has to be)) ~${DIET}\b`,
];

const FOOD_VERB = '(?:eat|drink|touch|consume|have|smoke|take|do)';
const NO_FOOD = pattern('i')`
  ^(?:much|enough|breakfast|lunch|dinner|out|here|there|well|right|properly|before|after|anything|time|kids|children
  |pets|idea|car|clue|problem|questions?|plans?|one|money|access|drugs and|sides|plastic|that|so|late|early|alone|all
  |long|justice|kindly|fools|seriously|notes?|part|place|for granted)\b
`;

const avoid = (text: string, says: string, more: Partial<Draft> = NEGATIVE): Draft[] =>
  limits(text, 'avoid', says, more).filter(({ value }) => !NO_FOOD.test(value));

const TAKEN = pattern('i')`
  ^(?:alcohol|meat|pork|beef|fish|dairy|caffeine|coffee|sugar|gluten|nuts?|pills?|drugs|seafood|shellfish|eggs?|bread
  |wheat|milk|lactose|tea|wine|beer|spicy|soda|sweets|painkillers|aspirin|ibuprofen|carbs|red meat|fried|raw|soy
  |tomato\w*|cheese|garlic|onions?|lamb|chicken|poultry|animal|processed|fast food|grapefruit|penicillin|antibiotics
  |chocolate|citrus|fizzy|energy drinks|peanuts?|honey|salt)
`;

const NOTHING_EATEN =
  /^(?:it|this|that|the|those|these|making|doing|getting|mistakes?|confusion|problems?|errors?)\b/i;
/** Something given up for a time only. */
const RELAPSED =
  /\b(?:but|and then|then) (?:I|we) (?:have )?(?:\w+ )?(?:started|relapsed|took it up|fell off|am back|went back|caved|gave in)\b/i;

/** What somebody does not do with a food, by "can not", "never" and the like, and by the verb. */
function abstention(auxiliary: string, verb: string): string {
  if (/can not|allowed|must not|may not/.test(auxiliary)) return 'does not tolerate';
  if (verb === 'smoke') return 'does not smoke';
  return /drink|drunk/.test(verb) ? 'does not drink' : 'does not eat';
}

/** Food and drink that the user avoids, or has again. */
export const AVOIDED = [
  rule((verb, { text }) => {
    if (RELAPSED.test(text)) return null;
    const isDrink = verb.startsWith('drink');
    const value = isDrink ? (/alcohol/.test(text) ? 'alcohol' : 'drink') : verb;
    const key = `constraint:avoid:${isDrink ? 'alcohol' : 'smoking'}`;
    const says = `does not ${isDrink ? 'drink alcohol' : verb.replace(/ing$/, 'e')}`;
    return limit('avoid', value, says, { key, ...NEGATIVE });
  })`
    We (?:do not|never|no longer|can (?:not|no longer)|am not allowed to|(?:have )?(?:stopped|quit|gave up
    |given up)) ~(?:ever )?(?<verb>drink|drinking|smoke|smoking|vape|vaping)(?: alcohol| at all| any longer
    | cigarettes){0,4}(?=${SINCE_WHEN.source}|${END})
  `,
  rule((auxiliary, { groups: { verb = '', thing = '' } }) => {
    const isFood = /^(?:eat|drink|eaten|drunk|consume|smoke|digest)$/.test(verb);
    return isFood || TAKEN.test(thing)
      ? avoid(upTo(thing, / in my life/), abstention(auxiliary, verb))
      : null;
  })`
    We (?<auxiliary>(?:do|am|can|must|may|should|will) not(?: allowed(?: to)?| supposed to| ever)?
    |(?:have |can |would )?never|(?:can )?no longer|hardly ever|have to avoid|refuse to) ~(?:ever )?
    (?<verb>${FOOD_VERB}|eaten|drunk|touched|tolerate|digest|handle|process|stomach) (?:(?:any|anything (?:with
    |containing)|food with) )?(?<thing>.+)
  `,
  rule((thing, { text }) => {
    if (RELAPSED.test(text)) return null;
    const isFood =
      /(?:eating|drinking) /.test(text.slice(0, 40)) || TAKEN.test(thing) || /^smoking/.test(thing);
    const isAvoidance =
      /\b(?:avoid|(?:steer|stay|keep) (?:clear|away))/.test(text.slice(0, 35)) &&
      /^[\p{L} -]+$/u.test(thing) &&
      !NOTHING_EATEN.test(thing);
    return isFood || isAvoidance
      ? asCorrections(avoid(thing, 'avoids'), /stopped|gave|given|quit|sworn/.test(text))
      : null;
  })`
    We (?:have )?~(?:stopped (?:eating|drinking|having)|gave up|given up|quit|cut out|cut down on|(?:am |stay )off
    |do without|go without|abstain from|(?:sworn|swore) off|(?:(?:have|need|try) to |must )?(?:(?:stay|keep) away from
    |steer clear of|avoid)|am avoiding) (?:(?:all|any|my) )?(?<thing>.+)
  `,
  rule((thing) => avoid(thing, 'avoids'))`
    (?:no (?<thing>(?:alcohol|meat|pork|beef|fish|dairy|caffeine|coffee|sugar|gluten|nuts|seafood|shellfish|eggs
    |red meat)(?:(?:,| or| and) \p{L}+){0,4})) (?:for me|please|in my|thanks)
  `,
  rule((thing) => asCorrections(avoid(thing, 'eats or drinks', {})))`
    We (?:have )?~(?:(?:started|am|do|can|(?:went|gone) back to) ){0,2}(?:eat|eating|drink|drinking|having)[ ]
    (?<thing>[^,.;!?]+?) again\b
  `,
];
