import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { source } from '../../../../language/text/pattern.ts';
import { type Draft, END, NEGATIVE, rule, STOP, stated } from '../text/draft.ts';
import { FEW, oneOf, RELATION, SPECIES } from '../text/words.ts';

const COUNT = `(?:${FEW}|[2-9]|10|several|twin|a couple of|a pair of|both|many)`;
const PLURAL = source`
  (?:(?:${RELATION})s|kids|children|boys|girls|grandchildren|grandkids|toddlers|teenagers|teens|little ones|step-?kids
  |stepchildren|babies|godchildren)
`;
const ANIMALS = `(?:${oneOf(SPECIES)})s|guinea pigs|puppies|ponies|bunnies|budgies|mice|geese|goats|sheep|fish|horses|canaries`;
const OWNS = source`
  (?:have|have got|am (?:a |the )?(?:proud )?(?:mother|mum|mom|father|dad|parent|owner) of|am raising|raise|look after
  |live with|share (?:my|our) (?:home|flat|house) with|am blessed with|am bringing up|own|keep|adopted)
`;

const family = (value: string, verb: string, more?: Partial<Draft>): Draft =>
  stated('RELATIONSHIP', value, `${verb} ${value}`, { importance: 0.7, ...more });

const WAS_MARRIED =
  /\bbeen (?:re)?(?:married|engaged) (?:before|twice|to|for)\b|\b(?:was|were) (?:married|engaged)\b/;

/** Children, siblings, pets and marriage without names. */
export const FAMILY = [
  rule((who) => family(who, 'has no', NEGATIVE))`
    We (?:(?:do not|no longer) ~(?:have|own|keep)(?: any| an?)?|have (?:no|zero)) (?<who>kids|children|siblings|pets
    |family|brothers or sisters|brothers?|sisters?|${ANIMALS}|(?:${oneOf(SPECIES)})|daughter|son|wife|husband|partner
    |girlfriend|boyfriend|flatmates?|roommates?)\b
  `,
  rule((who) => family(who, 'has'))`
    (?:(?:my \p{L}+|\p{L}+)(?: \p{L}+)? and I|I|we) ~${OWNS} (?<who>${COUNT} (?:[\p{L}-]+ ){0,3}?(?:${PLURAL}
    |${ANIMALS})|kids|(?:grand)?children|twins|twin (?:boys|girls|daughters|sons)|teenagers)\b
  `,
  rule((who) => family(who, 'is a'))`
    We ~(?:am|are) ~(?:an? |the )?(?:(?:single|proud|working|new|busy|stay-at-home|tired|young) ){0,4}(?<who>(?:mother
    |mum|mom|father|dad|parents?|grandmother|grandfather|grandma|grandpa) (?:of|to) (?:${COUNT}|\d|twins|one
    |[^,.;!?]{3,30}?))${STOP}
  `,
  rule(relationOnly)`
    We ~(?:have|have got) (?:an?|one|another|a new) (?<who>(?:(?:[\p{L}]+|\d{1,2}|[\p{L}\d]+[- ]year[- ]old
    |[\p{L}\d]+[- ]month[- ]old) )?(?:${RELATION}))${END}
  `,
  rule(
    (who) => family(who, 'has a', { key: `profile:pet:${headOf(who)}:species` }),
    /^(?:hot|toy|stuffed|real|whole|roast|frozen|dead|loan|black|fat|copy|computer|night)\b/i,
  )`
    We ~(?:have|own|have got|adopted|have adopted|got) (?:an?|one) (?<who>(?:[\p{L}-]+ )?(?:${oneOf(SPECIES)}))${END}
  `,
  rule((state) => family(state, 'is'))`
    I am ~(?<state>married|single|divorced|engaged|widowed|separated|a widow|a widower|a single (?:mum|mom|mother|dad
    |father|parent)|an only child|a twin|newly ?wed|pregnant|expecting|a grandmother|a grandfather
    |a stay-at-home (?:mum|mom|dad|parent))\b(?! (?:to|out|with|in|minded|of|entry|file|by|from|source))
  `,
  rule((state, { sentence }) => (WAS_MARRIED.test(sentence) ? null : family(state, 'is')))`
    We (?:have )?~(?:got|been|get|was) (?:re)?(?<state>divorced|married|engaged|separated|widowed)\b(?! to\b)
  `,
  rule((state) => family(state, 'is not', NEGATIVE))`
    I am not ~(?<state>married|single)(?: anymore)?\b
  `,
];

/** The part of a key for the noun of a phrase: "older sister" → "sister". */
const headOf = (phrase: string): string => keyPart(phrase.split(' ').at(-1) ?? phrase);

/** Those that many people have: who they are says little. */
const COMMON =
  /^(?:good|new|client|doctor|lawyer|accountant|cleaner|dentist|teacher|colleague|friend|boss|manager|trainer|mate)\b/i;

function relationOnly(who: string): Draft | null {
  const [, age, rest = who] = /^([\p{L}\d]+)[- ](?:year|month)[- ]old (.+)$/u.exec(who) ?? [];
  if (COMMON.test(rest)) return null;
  const key = headOf(rest);
  const value = rest.toLowerCase();
  return age
    ? stated('RELATIONSHIP', age, `has a ${who}`, { key: `person:${key}:age` })
    : stated('RELATIONSHIP', value, `has a ${value}`, { key: `person:${key}:relation` });
}

const MENTIONED = new IgnoringCase(
  `\\b(?:my|our) (?<who>(?:${COUNT}) (?:[\\p{L}]+ )?(?:${PLURAL}|${ANIMALS}))\\b`,
);

/** Children and pets whose number is mentioned in passing: "with my two cats". */
export function mentionedFamily(sentence: string): Draft[] {
  const who = MENTIONED.exec(sentence)?.groups?.who;
  return who && !/\b(?:if|suppose|imagine|would)\b/i.test(sentence) ? [family(who, 'has')] : [];
}
