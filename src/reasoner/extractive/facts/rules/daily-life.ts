import { WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, END, ended, liking, NEGATIVE, rule, stated, unless } from '../text/draft.ts';
import { clauseOf } from '../text/phrases.ts';
import { RELATION } from '../text/words.ts';
import { ONCE } from './habits.ts';

const DRUG = source`
  (?:\p{L}{2,20}(?:pril|sartan|olol|statin|prazole|formin|oxetine|traline|thyroxine|dipine|xaban|lukast|glutide|gliptin
  |pramine|triptyline|azepam|talopram)|lithium|insulin|warfarin|statins|antidepressants|blood thinners|beta[- ]blockers
  |the pill|methotrexate|prednisolone|prednisone|ritalin|adderall|prozac|zoloft|lexapro|hrt|antihistamines
  |iron tablets)
`;
const TAKE =
  '(?:take|am on|am taking|have been taking|have been on|inject|was prescribed|have been prescribed)';
const DOSE = '\\d{1,4}(?:[.,]\\d{1,3})? ?(?:mg|mcg|µg|micrograms?|milligrams?|units)';

const takes = (drug: string, says = drug): Draft =>
  stated('CONSTRAINT', drug, `takes ${theirs(says)}`, { importance: 0.85 });

/** Somebody a home can be shared with. */
const HOUSEHOLD = source`
  (?:my|our|an?|two|three|four|some) (?:(?:older|younger|little|big|elderly) ){0,2}(?:${RELATION}|parents|kids|children
  |family|in-laws|grandparents|flatmates|roommates|housemates)
`;

/** The third person of the verbs below: "run" → "runs", "go" → "goes". */
const does = (verb: string): string => verb.replace(/(?<es>[sxo]|[cs]h)$/, '$<es>e').concat('s');

const theirs = (text: string): string =>
  text.replace(/\b(?:my|our)\b/g, 'their').replace(/\bmyself\b/, 'themselves');

const habit = (value: string, says: string): Draft =>
  stated('PREFERENCE', value, theirs(says), { importance: 0.5 });

const OFTEN = source`
  (?:on )?(?:(?:${WEEKDAY}s|weekends|weekdays)(?:(?:,| and|, and) (?:${WEEKDAY}s|weekends)){0,4}
  |(?:every|each) (?:(?:other|single) )?(?:day|morning|evening|night|week|weekend|${WEEKDAY})
  |(?:once|twice|(?:\d|two|three|four|five|six) (?:times|days)) (?:a|per|every) (?:day|week|month))
`;
const CLOCK = source`(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight|(?:half (?:past )?)?(?:five|six|seven|eight|nine|ten))`;

const HOLIDAY = source`
  christmas|easter|birthdays|my birthday|halloween|hanukkah|diwali|eid|thanksgiving|valentine'?s(?: day)?|new year'?s?
  (?: eve)?
`;

/** Not something that is only had: "I only drink when …". */
const NO_ONLY = pattern('i')`
  ^(?:when|if|at|on|in|after|before|because|for|with|once|twice|one|two|half|a|an|it|that|this|them|these|those|to|what
  |my|the|so|as|\d)\b
`;

/** What somebody's days are like: with whom they live, what they take, what they do every week. */
export const DAILY_LIFE = unless(ONCE, [
  rule((drug, { text }) => {
    const isOver = !/^(?:I|we) do not\b/.test(text) || /\bany(?:more| longer)\b/.test(text);
    return ended([takes(drug)], ' takes ', isOver ? ' no longer takes ' : ' does not take ');
  })`
    We (?:no longer (?:take|have to take)|do not take|(?:have )?stopped (?:taking|with)|(?:have )?(?:come|came) off
    |am (?:off|not taking)|am no longer (?:on|taking)) (?:(?:my|the) )?(?<drug>${DRUG})${END}
  `,
  rule((drug, { text }) => takes(drug, clauseOf(text.slice(text.search(/\d/)))))`
    We ~${TAKE} (?:my )?${DOSE}(?: (?:of|tablets? of))? (?<drug>\p{L}{4,30})\b
  `,
  rule((drug, { text }) => takes(drug, clauseOf(text.slice(text.indexOf(drug)))))`
    We ~${TAKE} (?:my )?(?<drug>${DRUG})\b
  `,
  rule((type) => stated('IDENTITY', type, `'s blood type is ${type}`))`
    my blood (?:type|group) is ~(?<type>(?:AB|A|B|O)(?: ?(?:rh(?:esus)? )?(?:positive|negative|pos|neg|\+|[-−]))?)
    (?=[\s,.;!?)]|$)
  `,
  rule((what) => stated('CONSTRAINT', what, `wears ${what}`, { importance: 0.6 }))`
    I ~wear (?<what>(?:reading |varifocal )?glasses|contact lenses|contacts|bifocals|varifocals|dentures)${END}
  `,
  rule((who) =>
    stated('RELATIONSHIP', who.replace(/^(?:with )?(?:my|our) /, ''), `lives ${theirs(who)}`),
  )`
    I ~live (?:at home )?(?<who>alone|on my own|by myself|with ${HOUSEHOLD})${END}
  `,
  rule((child) => stated('RELATIONSHIP', 'expecting a child', `is expecting ${theirs(child)}`))`
    We (?:am|are) ~expecting (?<child>an? (?:baby|child|boy|girl)|twins|(?:our|my) (?:first|second|third|fourth
    |next)(?: (?:baby|child))?)${END}
  `,
  rule((when) => stated('RELATIONSHIP', 'getting married', `is getting married${when}`))`
    We (?:am|are) ~getting married(?<when>(?: (?:on|in|this|next) [\p{L}\d ]{2,25})?)(?=[,.;!?)]|$| (?:and|so|but)\b)
  `,
  rule((faith) => stated('IDENTITY', faith, `is ${faith}`))`
    I am ~(?:an? )?(?:(?:practi[sc]ing|devout|lapsed|non-practi[sc]ing|committed|observant|orthodox) )?
    (?<faith>catholic|protestant|muslim|jewish|hindu|buddhist|sikh|christian|atheist|agnostic|mormon|quaker|anglican
    |methodist|baptist)(?= (?:on|by)\b|[,.;!?)]|$| (?:and|so|but|from)\b)
  `,
  rule((what) => stated('CONSTRAINT', what, `does not celebrate ${theirs(what)}`, NEGATIVE))`
    We (?:do not|never|no longer) ~celebrate (?<what>${HOLIDAY})${END}
  `,
  rule((verb, { groups: { thing = '' } }) => {
    const value = NO_ONLY.test(thing) ? '' : clauseOf(thing);
    return value === '' ? null : liking('PREFERENCE', value, `only ${does(verb)} ${value}`);
  })`I only (?:ever )?(?<verb>drink|eat|buy|wear|read) (?<thing>[\p{L}][^,.;!?]{2,40})`,
  rule((verb, { groups: { what = '' } }) => habit(`${verb} ${what}`, `${does(verb)} ${what}`))`
    I ~(?<verb>run|cycle|swim|walk|row|jog|bike) (?<what>(?:(?:about|around|roughly|up to|at least) )?\d{1,3} ?(?:k|km|kms
    |kilomet(?:re|er)s|miles|lengths|laps|minutes|mins|hours) (?:a|per|every|each) (?:day|week|morning|evening|month))\b
  `,
  rule((place, { groups: { when = '' } }) => habit(`${place} ${when}`, `goes to ${place} ${when}`))`
    I ~go to (?<place>(?:the |my |a )?(?:gym|pool|yoga|pilates|crossfit|church|mosque|synagogue|temple|sauna|library
    |market|therapy|physio|aa|meetings|(?:[\p{L}-]+ )?(?:class|classes|practice|club|lessons))),? (?<when>${OFTEN})
    (?=[\s,.;!?)]|$)
  `,
  rule((often, { groups: { deed = '', verb = '' } }) =>
    habit(deed, `${often} ${deed.replace(verb, does(verb))}`),
  )`
    I (?<often>usually|normally|always|generally|typically|mostly) (?<deed>(?<verb>wake|get|go|start|finish|eat|have)[ ]
    (?:up|to (?:bed|sleep)|work|breakfast|lunch|dinner) (?:at|around|before|by|after) (?:about )?${CLOCK})(?=[\s,.;!?)]|$)
  `,
]);
