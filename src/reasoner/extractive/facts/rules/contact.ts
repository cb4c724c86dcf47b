import { parse } from 'chrono-node/en';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { type Draft, type Rule, rule } from '../text/draft.ts';
import { profile } from '../text/profile.ts';
import type { Scene } from '../text/scene.ts';
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

const contact = (attribute: 'email' | 'phone' | 'website') => (found: string) =>
  profile(attribute, trimEndOf(found, /[.)\s/]/));

const KIND = source`
  (?:(?:new|current|work|private|personal|main|other|old|business|best|correct|right|actual|primary|preferred|mobile
  |cell|own|direct|contact|home|office) ){0,4}
`;
const CUE = source`
  (?: (?:is|'s|at|on|via|to|now|under|by|the|it|by e-?mail|by phone|through|changed|has|have|been|and|they are
  |directly|using|address|number|up|if needed|anytime|any time|instead|actually|currently)(?![\p{L}\p{N}._@-])){0,6}
`;

/** How people state an address or a number: what they call it, how to reach them, and what to send. */
function contactRules(
  attribute: 'email' | 'phone',
  { noun, reach, send, value }: Record<'noun' | 'reach' | 'send' | 'value', string>,
): Rule[] {
  const found = rule(contact(attribute));
  return [
    found`
      ${ANYWHERE}(?<!no longer )my ${KIND}(?:${noun})(?: for (?:this|that|work
      |invoices))?${CUE},?:? ?${IS} ?(?:now |currently |at )?${value}
    `,
    found`${ANYWHERE}(?:${reach}) (?:me|us)${CUE},?:? (?:at |on |via |under )?${value}`,
    found`
      (?:it is|that is|mine is|I am at|I am on|my (?:new )?(?:one|address) is
      |(?:I have (?:got )?an? |got an? |here is my |this is my |my )?new (?:${noun})(?: is| now)?:?) (?:now )?${value}
    `,
    found`${ANYWHERE}(?:give|drop|shoot|send|write) (?:me|us) (?:an? )?(?:${send}) (?:at|on|to|under|via) ${value}`,
    found`(?:(?:e-?)?mail(?: address)?|phone|tel|mobile): ${value}`,
    found`I am (?:reachable|available|found) (?:at|on|under|via|by (?:e-?mail|phone) (?:at|on)) ${value}`,
    found`${value} is (?:my (?:${KIND})(?:${noun})|the (?:best|right|correct|easiest) (?:${noun}) (?:for|to reach) me)`,
    found`(?:please )?use ${value} (?:for me|from now on|instead|to reach me)`,
    found`
      (?:the |my )?(?:best|right|correct|easiest) (?:${noun})(?: for me| to reach me| to use)? is ${value}
    `,
  ];
}
const website = contact('website');

/** The user's contact details. Those of other people do not count. */
export const CONTACT: readonly Rule[] = [
  ...contactRules('email', {
    noun: '(?:e-?)?mail(?: address| id)?|address',
    reach: source`
      reach|e-?mail|mail|contact|write(?: to)?|message|cc|copy|invite|ping|hit|get (?:hold of|back to|in touch with)
    `,
    send: 'line|note|e-?mail|mail|message|word',
    value: EMAIL,
  }),
  ...contactRules('phone', {
    noun: '(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|whatsapp)(?: number)?|number|handy|landline',
    reach: 'call|text|ring|reach|phone|message|sms|contact|whatsapp|buzz|hit|get hold of|get',
    send: 'call|ring|bell|text|sms|message|buzz',
    value: PHONE,
  }),
  rule(website)`
    ${ANYWHERE}my ${KIND}(?:web ?site|site|web ?page|home ?page|blog|portfolio|online shop|webshop|newsletter
    |web address|domain|portfolio site|landing page)(?: \w+)?${CUE},?:?(?: at| on| lives at| is at| called)? ${URL}
  `,
  rule(website)`
    I (?:blog|write|publish|sell(?: \w+)?|run (?:a|the) (?:blog|site|website|shop|webshop|newsletter)|keep a (?:blog
    |diary|site)|have a (?:blog|site|website|page)|maintain (?:a|the) (?:blog|site|website)|run|own|maintain
    |host)(?: about [^,.]{2,30})?,? (?:at |on |called |over at |under )?${URL}
  `,
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
  return /\d/.test(found.text) ? found.text.replace(/^(?:on )?the /i, '') : null;
}

const born = (date: string, _match: unknown, { occurredAt }: Scene): Draft[] =>
  profile('birthday', dateOf(date, occurredAt));

/** When the user was born. */
export const BIRTHDAY: readonly Rule[] = [
  rule((date, match, scene) =>
    /^my (?:birthday|bday|b-day|birth ?date|date of birth|dob)\b(?! party)|^mine is\b/i.test(
      match.text,
    )
      ? born(date, match, scene)
      : null,
  )`
    (?:my|mine) (?:birthday|bday|b-day|birth date|birthdate|date of birth|dob|birthday party)?\s?(?:is|'s|falls|was
    |:|lands)?(?: always| actually| now| coming up){0,4} ?(?:on )?(?<date>.+)
  `,
  rule(born)`I (?:was|am) born (?:in .{2,30}? )?(?:on )(?<date>.+)`,
  rule(born)`(?<date>.{3,25}?) is my (?:birthday|bday|date of birth)`,
  rule(born)`I (?:celebrate|have) my birthday (?:on )(?<date>.+)`,
];

const PRONOUN = '(?:he|she|they|it|xe|ze|ey|fae|any|hers?|his|him|them|theirs?|xem|zir|hir)';
const PRONOUNS = `(?<value>${PRONOUN}(?: ?\\/ ?${PRONOUN}){1,3}|any pronouns|(?:he|she|they) and (?:him|her|them|they))(?![\\p{L}/])`;
const pronouns = (value: string): Draft[] => profile('pronouns', value);

const BEFORE_TIME = pattern('i')`
  \b(?:the same|good|my own|record|full|part|real|no|half|free|spare|borrowed|family|short|crunch|dinner|lunch|that
  |this|what|bed|some|first|long|big|double|any|all|their|different)\b
`;

/** Whether a phrase with "time" is no time zone: "in a good time", "at dinner time". */
const isSpell = (zone: string): boolean => hasInOrder(zone, BEFORE_TIME, /time/i);

/** The user's pronouns and time zone. */
export const PRONOUNS_AND_ZONE: readonly Rule[] = [
  rule(pronouns)`
    (?:.*?\b)??(?:my|preferred) pronouns (?:are|have changed to|changed to|is|:)?:? ?(?:now |actually |currently )?
    ${PRONOUNS}
  `,
  rule(pronouns)`
    (?:(?:I|please|you can|do|just) ){0,4}(?:changed my pronouns.*? )?(?:use|go by|prefer|am|using|went with
    |switched to|they are|now use)(?: now| the pronouns| pronouns)? ${PRONOUNS}
  `,
  rule(pronouns)`pronouns:? (?:are |now )?${PRONOUNS}`,
  rule((found, clause) => (/pronoun/i.test(clause.sentence) ? pronouns(found) : null))`
    (?:they are|now) (?:now )?${PRONOUNS}
  `,
  rule(pronouns)`I am [\p{L}'-]+,? \(?${PRONOUNS}`,
  rule((found, clause) =>
    /\(|pronoun|for me|please/i.test(clause.sentence) ? pronouns(found) : null,
  )`
    ${PRONOUNS}(?= ?(?:\)|$|please|pronouns|for me))
  `,
  rule(zoned)`
    (?:my|our) time ?-?zone (?:is|'s|has changed to|changed to|:)?:?(?: now| actually
    | currently)? (?<zone>[^,;!?()]+)
  `,
  rule((zone) =>
    isSpell(zone) || /^(?:same|good|full|real|part|time) /i.test(zone) ? null : zoned(zone),
  )`
    We (?:am|are|live|work|run) (?:now |currently |here )?(?:in|on|at|by) (?:the )?(?<zone>(?:UTC
    |GMT) ?(?:[+−-] ?\d{1,2}(?::\d\d)?)?|[ECMPA][SD]?T|CES?T|EES?T|WES?T|BST|IST|JST|KST|A[EWC][SD]?T|NZ[SD]?T|SGT
    |HKT|MSK|WIB|PHT|SAST|EAT|WAT|CAT|BRT|ART|[\p{L} -]+? time(?: ?zone)?|\p{Lu}\p{L}+\/\p{Lu}[\p{L}_]+)
    (?![\p{L}\p{N}])
  `,
];

function zoned(text: string): Draft[] {
  const value = upTo(
    upTo(text, /\.(?:\s|$)/),
    / (?:so|and|but|if|now|because|please|by the way|can|btw)\b/i,
  ).trim();
  const plausible =
    value !== '' && value.split(' ').length <= 4 && /^\p{Lu}|^(?:utc|gmt|cet|est|pst)/u.test(value);
  return profile('timezone', plausible ? value : null);
}
