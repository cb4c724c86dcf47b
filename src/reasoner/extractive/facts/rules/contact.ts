import { parse } from 'chrono-node/en';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { type Draft, draft, profile, type Rule, rule, rules } from '../text/draft.ts';
import { hasInOrder, upTo } from '../text/trim.ts';

const EMAIL = '(?<value>[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+)';
/** A phone number: seven to fifteen digits, grouped as people write them. */
const PHONE = '(?<value>(?:\\+|\\(?\\b)\\(?\\d(?:[\\s().\\/-]{0,2}\\d){6,14})(?![\\d@:])';
const URL = source`
  (?<value>(?:https?:\/\/)?(?:www\.)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+){0,4}\.\p{L}{2,15}(?:\/[^\s,;!?)]*)?)
  (?![@\p{L}\p{N}])
`;
const ANYWHERE = '(?:.*?[\\s,;:(])??';
const IS =
  "(?:'s|is|has (?:changed|moved|been changed)(?: to)?|changed(?: to)?|should be|became|will be|was updated to|are|:)?";

const contact =
  (attribute: string, label: string) =>
  ({ value: found = '' }, { isCorrection }: { isCorrection: boolean }): Draft => {
    const value = trimEndOf(found, /[.)\s/]/);
    return draft('IDENTITY', {
      key: `profile:${attribute}`,
      value,
      statement: `The user's ${label} is ${value}.`,
      confidence: 1,
      importance: 0.7,
      isCorrection,
    });
  };

const email = contact('email', 'e-mail address');
const phone = contact('phone', 'phone number');
const website = contact('website', 'website');

const KIND = source`
  (?:(?:new|current|work|private|personal|main|other|old|business|best|correct|right|actual|primary|preferred
  |mobile|cell|own|direct|contact|home|office) ){0,4}
`;
const CUE = source`
  (?: (?:is|'s|at|on|via|to|now|under|by|the|it|by e-?mail|by phone|through|changed|has|have|been|and|they are
  |directly|using|address|number|up|if needed|anytime|any time|instead|actually
  |currently)(?![\p{L}\p{N}._@-])){0,6}
`;

/** The user's contact details. Those of other people do not count. */
export const CONTACT: readonly Rule[] = [
  ...rules(email, [
    source`
      ${ANYWHERE}(?<!no longer )my ${KIND}(?:e-?)?mail(?: address
      | id)?(?: for (?:this|that|work|invoices))?${CUE},?:? ?${IS} ?(?:now |currently |at )?${EMAIL}
    `,
    source`
      ${ANYWHERE}(?:reach|e-?mail|mail|contact|write(?: to)?|message|cc|copy|invite|ping|hit
      |get (?:hold of|back to|in touch with)) (?:me|us)${CUE},?:? (?:at |on |via |under )?${EMAIL}
    `,
    source`
      (?:it is|that is|mine is|I am at|I am on|my (?:new )?(?:one|address) is
      |(?:I have (?:got )?an? |here is my |this is my |my )?new (?:e-?mail
      |address)(?: address)?(?: is)?:?) (?:now )?${EMAIL}
    `,
    `${ANYWHERE}(?:drop|shoot|send|write) (?:me|us) (?:an? )?(?:line|note|e-?mail|mail|message|word) (?:at|on|to|under|via) ${EMAIL}`,
    `(?:e-?mail|mail)(?: address)?: ${EMAIL}`,
    `I am (?:reachable|available|found) (?:at|on|under|via|by e-?mail at) ${EMAIL}`,
    source`
      ${EMAIL} is (?:my (?:${KIND})(?:e-?mail|mail|address)|the (?:best|right|correct|easiest) (?:e-?mail
      |address)(?: address)? (?:for|to reach) me)
    `,
    `(?:please )?use ${EMAIL} (?:for me|from now on|instead|to reach me)`,
    `(?:the |my )?(?:best|right|correct|easiest) (?:e-?mail|address)(?: address)?(?: for me| to reach me| to use)? is ${EMAIL}`,
  ]),
  ...rules(phone, [
    `(?:the |my )?(?:best|right|correct|easiest) (?:phone )?number(?: for me| to reach me| to use)? is ${PHONE}`,
    source`
      ${ANYWHERE}my ${KIND}(?:phone(?: number)?|mobile(?: number)?|cell(?:phone)?(?: number)?|number
      |tel(?:ephone)?(?: number)?|whatsapp(?: number)?|handy|landline)${CUE},?:? ?${IS} ?(?:now )?${PHONE}
    `,
    source`
      ${ANYWHERE}(?:call|text|ring|reach|phone|message|sms|contact|whatsapp|buzz|hit|get hold of|get) (?:me
      |us)${CUE},?:? (?:on |at |under )?${PHONE}
    `,
    `${ANYWHERE}(?:give|send|drop) (?:me|us) an? (?:call|ring|bell|text|sms|message|buzz) (?:on|at|under|to) ${PHONE}`,
    `I am (?:reachable|available) (?:at|on|under|by phone on) ${PHONE}`,
    source`
      (?:it is|that is|mine is|(?:I have (?:got )?an? |got an? |here is my |this is my |my )?ne
      w (?:phone |mobile )?(?:number|phone)(?: is| now)?:?|phone:|tel:|mobile:) (?:now )?${PHONE}
    `,
  ]),
  ...rules(website, [
    source`
      ${ANYWHERE}my ${KIND}(?:web ?site|site|web ?page|home ?page|blog|portfolio|online shop|webshop|newsletter
      |web address|domain|portfolio site|landing page)(?: \w+)?${CUE},?:?(?: at| on| lives at| is at
      | called)? ${URL}
    `,
    source`
      I (?:blog|write|publish|sell(?: \w+)?|run (?:a|the) (?:blog|site|website|shop|webshop|newsletter)
      |keep a (?:blog|diary|site)|have a (?:blog|site|website|page)|maintain (?:a|the) (?:blog|site|website)|run
      |own|maintain|host)(?: about [^,.]{2,30})?,? (?:at |on |called |over at |under )?${URL}
    `,
  ]),
];

/** The day and month at the beginning of a text, as written. */
function dateOf(text: string, reference: Date): string | null {
  const [found] = parse(
    text.replace(/^(?:on|the|is|was|falls on|actually|now|,|in fact) /gi, ''),
    reference,
  );
  if (
    !found ||
    found.index > 12 ||
    !found.start.isCertain('month') ||
    !found.start.isCertain('day')
  )
    return null;
  return /\d/.test(found.text) ? withOrdinalHead(text, found.text) : null;
}

/** Removes "on the" before a date if the date is written like this in the text. */
const withOrdinalHead = (text: string, date: string): string =>
  text.includes(date) ? date.replace(/^(?:on )?the /i, '') : date;

/** When the user was born. */
export const BIRTHDAY: readonly Rule[] = [
  rule(
    source`
      (?:my|mine) (?:birthday|bday|b-day|birth date|birthdate|date of birth|dob|birthday party)?\s?(?:is|'s|falls
      |was|:|lands)?(?: always| actually| now| coming up){0,4} ?(?:on )?(?<date>.+)
    `,
    ({ date = '' }, { isCorrection, text }, { occurredAt }) =>
      /^my (?:birthday|bday|b-day|birth ?date|date of birth|dob)\b(?! party)|^mine is\b/i.test(text)
        ? born(dateOf(date, occurredAt), isCorrection)
        : null,
  ),
  ...rules(
    ({ date = '' }, { isCorrection }, { occurredAt }) =>
      born(dateOf(date, occurredAt), isCorrection),
    [
      'I (?:was|am) born (?:in .{2,30}? )?(?:on )(?<date>.+)',
      '(?<date>.{3,25}?) is my (?:birthday|bday|date of birth)',
      'I (?:celebrate|have) my birthday (?:on )(?<date>.+)',
    ],
  ),
];

const born = (value: string | null, isCorrection: boolean): Draft[] =>
  profile('birthday', value, (date) => `The user's birthday is ${date}.`, {
    confidence: 0.95,
    importance: 0.7,
    isCorrection,
  });

const PRONOUN = '(?:he|she|they|it|xe|ze|ey|fae|any|hers?|his|him|them|theirs?|xem|zir|hir)';
const PRONOUNS = `(?<value>${PRONOUN}(?: ?\\/ ?${PRONOUN}){1,3}|any pronouns|(?:he|she|they) and (?:him|her|them|they))(?![\\p{L}/])`;
const pronouns = ({ value = '' }, { isCorrection }: { isCorrection: boolean }): Draft =>
  draft('IDENTITY', {
    key: 'profile:pronouns',
    value,
    statement: `The user's pronouns are ${value}.`,
    confidence: 0.95,
    importance: 0.8,
    isCorrection,
  });

const BEFORE_TIME = pattern('i')`
  \b(?:the same|good|my own|record|full|part|real|no|half|free|spare|borrowed|family|short|crunch|dinner|lunch
  |that|this|what|bed|some|first|long|big|double|any|all|their|different)\b
`;

/** Whether a phrase with "time" is no time zone: "in a good time", "at dinner time". */
const isSpell = (zone: string): boolean => hasInOrder(zone, BEFORE_TIME, /time/i);

/** The user's pronouns and time zone. */
export const PRONOUNS_AND_ZONE: readonly Rule[] = [
  ...rules(pronouns, [
    `(?:.*?\\b)??(?:my|preferred) pronouns (?:are|have changed to|changed to|is|:)?:? ?(?:now |actually |currently )?${PRONOUNS}`,
    source`
      (?:(?:I|please|you can|do|just) ){0,4}(?:changed my pronouns.*? )?(?:use|go by|prefer|am|using|went with
      |switched to|they are|now use)(?: now| the pronouns| pronouns)? ${PRONOUNS}
    `,
    `pronouns:? (?:are |now )?${PRONOUNS}`,
  ]),
  rule(`(?:they are|now) (?:now )?${PRONOUNS}`, (found, clause) =>
    /pronoun/i.test(clause.sentence) ? pronouns(found, clause) : null,
  ),
  rule(`I am [\\p{L}'-]+,? \\(?${PRONOUNS}`, pronouns),
  rule(`${PRONOUNS}(?= ?(?:\\)|$|please|pronouns|for me))`, (found, clause) =>
    /\(|pronoun|for me|please/i.test(clause.sentence) ? pronouns(found, clause) : null,
  ),
  rule(
    "(?:my|our) time ?-?zone (?:is|'s|has changed to|changed to|:)?:?(?: now| actually| currently)? (?<zone>[^,;!?()]+)",
    ({ zone = '' }, { isCorrection }) => zoned(zone, isCorrection),
  ),
  rule(
    source`
      (?:I|we) (?:am|are|live|work|run) (?:now |currently |here )?(?:in|on|at
      |by) (?:the )?(?<zone>(?:UTC|GMT) ?(?:[+−-] ?\d{1,2}(?::\d\d)?)?|[ECMPA][SD]?T|CES?T|EES?T|WES?T|BST|IST|JST
      |KST|A[EWC][SD]?T|NZ[SD]?T|SGT|HKT|MSK|WIB|PHT|SAST|EAT|WAT|CAT|BRT|ART|[\p{L} -]+? time(?: ?zone)?
      |\p{Lu}\p{L}+\/\p{Lu}[\p{L}_]+)(?![\p{L}\p{N}])
    `,
    ({ zone = '' }, { isCorrection }) =>
      isSpell(zone) || /^(?:same|good|full|real|part|time) /i.test(zone)
        ? null
        : zoned(zone, isCorrection),
  ),
];

function zoned(text: string, isCorrection: boolean): Draft[] {
  const value = upTo(
    upTo(text, /\.(?:\s|$)/),
    / (?:so|and|but|if|now|because|please|by the way|can|btw)\b/i,
  ).trim();
  const plausible =
    value !== '' && value.split(' ').length <= 4 && /^\p{Lu}|^(?:utc|gmt|cet|est|pst)/u.test(value);
  return profile(
    'timezone',
    plausible ? value : null,
    (zone) => `The user's time zone is ${zone}.`,
    {
      confidence: 0.95,
      importance: 0.7,
      isCorrection,
    },
  );
}
