import { parse } from 'chrono-node/en';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { type Draft, type Rule, rule } from '../text/draft.ts';
import { hasInOrder, upTo } from '../text/phrases.ts';
import { profile } from '../text/profile.ts';
import type { Scene } from '../text/scene.ts';

const EMAIL = '(?<value>[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+)';
/** A phone number: seven to fifteen digits, grouped as people write them. */
const PHONE = '(?<value>(?:\\+|\\(?\\b)\\(?\\d(?:[\\s().\\/-]{0,2}\\d){6,14})(?![\\d@:])';
const URL = source`
  (?<value>(?:https?:\/\/)?(?:www\.)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+){0,4}\.\p{L}{2,15}(?:\/[^\s,;!?)]*)?)
  (?![@\p{L}\p{N}])
`;
const ANYWHERE = '(?:.*?[\\s,;:(])??';
const contact = (attribute: 'email' | 'phone' | 'website') => (found: string) =>
  profile(attribute, trimEndOf(found, /[.)\s/]/));

const KIND = source`
  (?:(?:new|current|work|private|personal|main|other|old|business|best|correct|right|actual|primary|preferred|mobile
  |cell|own|direct|contact|home|office) ){0,4}
`;
/** The words between what an address is and the address itself. */
const CUE = source`
  (?:'s)?(?: (?:is|at|on|via|to|now|under|by(?: e-?mail| phone)?|the|it|through|changed|moved|updated|has|have|been|be
  |was|will|should|became|and|they are|are|directly|using|address|number|up|if needed|any ?time|instead|actually
  |currently)(?![\p{L}\p{N}._@-])){0,6},?:? ?
`;
const REACH = source`
  I am (?:reachable|available|found)|(?:reach|e-?mail|mail|contact|write(?: to)?|message|cc|copy|invite|ping|hit|call
  |text|ring|phone|sms|whatsapp|buzz|get(?: hold of| back to| in touch with)?) (?:me|us)|(?:give|drop|shoot|send
  |write) (?:me|us) (?:an? )?(?:line|note|e-?mail|mail|message|word|call|ring|bell|text|sms|buzz)
`;

/** How people state an address or a number. */
function contactRules(attribute: 'email' | 'phone', noun: string, value: string): Rule[] {
  const found = rule(contact(attribute));
  return [
    found`
      ${ANYWHERE}(?<!no longer )(?:my|the (?:best|right|correct|easiest)) ${KIND}(?:${noun})(?: for (?:this|that|work
      |invoices|me)| to (?:reach me|use))?${CUE}${value}
    `,
    found`${ANYWHERE}(?:${REACH})${CUE}${value}`,
    found`
      (?:it is|that is|mine is|I am at|I am on|my (?:new )?(?:one|address) is
      |(?:I have (?:got )?an? |got an? |here is my |this is my |my )?new (?:${noun})(?: is| now)?:?) (?:now )?${value}
    `,
    found`(?:(?:e-?)?mail(?: address)?|phone|tel|mobile): ${value}`,
    found`${value} is (?:my (?:${KIND})(?:${noun})|the (?:best|right|correct|easiest) (?:${noun}) (?:for|to reach) me)`,
    found`(?:please )?use ${value} (?:for me|from now on|instead|to reach me)`,
  ];
}
const website = contact('website');

export const CONTACT = [
  ...contactRules('email', '(?:e-?)?mail(?: address| id)?|address', EMAIL),
  ...contactRules(
    'phone',
    '(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|whatsapp)(?: number)?|number|handy|landline',
    PHONE,
  ),
  rule(website)`
    ${ANYWHERE}my ${KIND}(?:(?:web|portfolio )?site|web ?(?:site|page|shop|address)|home ?page|blog|portfolio
    |online shop|newsletter|domain|landing page)(?: lives| called| url| link)?${CUE}${URL}
  `,
  rule(website)`
    I (?:blog|write|publish|sell(?: \w+)?|(?:run|keep|have|maintain|own|host)(?: (?:an?|the) (?:blog|(?:web)?site|page
    |shop|webshop|newsletter|diary))?)(?: about [^,.]{2,30})?,? (?:at |on |called |over at |under )?${URL}
  `,
];

/** The day and month at the beginning of a text, as written. */
function dateOf(text: string, reference: Date): string | null {
  const front = text.replace(/^(?:on|the|is|was|falls on|actually|now|,|in fact) /gi, '');
  const [found] = parse(front, reference);
  if (!found?.start.isCertain('month') || !found.start.isCertain('day') || found.index > 12)
    return null;
  return /\d/.test(found.text) ? found.text.replace(/^(?:on )?the /i, '') : null;
}

const born = (date: string, _match: unknown, { occurredAt }: Scene): Draft[] =>
  profile('birthday', dateOf(date, occurredAt));

export const BIRTHDAY = [
  rule(born)`
    (?:(?:my (?:birthday|bday|b-day|birth ?date|date of birth|dob)(?! party)|mine(?= is))\s?(?:is|'s|falls|was|:
    |lands)?(?: always| actually| now| coming up){0,4} ?(?:on )?|I (?:(?:was|am) born (?:in .{2,30}? )?|(?:celebrate
    |have) my birthday )on )(?<date>.+)
  `,
  rule(born)`(?<date>.{3,25}?) is my (?:birthday|bday|date of birth)`,
];

const PRONOUN = '(?:he|she|they|it|xe|ze|ey|fae|any|hers?|his|him|them|theirs?|xem|zir|hir)';
const PRONOUNS = `(?<value>${PRONOUN}(?: ?\\/ ?${PRONOUN}){1,3}|any pronouns|(?:he|she|they) and (?:him|her|them|they))(?![\\p{L}/])`;
const pronouns = (value: string): Draft[] => profile('pronouns', value);

/** No time zone: "in a good time", "at dinner time". */
const BEFORE_TIME = pattern('i')`
  \b(?:the same|good|my own|record|full|part|real|no|half|free|spare|borrowed|family|short|crunch|dinner|lunch|that
  |this|what|bed|some|first|long|big|double|any|all|their|different)\b
`;

export const PRONOUNS_AND_ZONE = [
  rule(pronouns)`
    (?:(?:.*?\b)??(?:my|preferred) )?pronouns:? ?(?:are|have changed to|changed to|is|:)?:? ?
    (?:now |actually |currently )?${PRONOUNS}
  `,
  rule(pronouns)`
    (?:(?:I|please|you can|do|just) ){0,4}(?:changed my pronouns.*? )?(?:use|go by|prefer|am|using|went with
    |switched to|they are|now use)(?: now| the pronouns| pronouns)? ${PRONOUNS}
  `,
  rule(pronouns)`I am [\p{L}'-]+,? \(?${PRONOUNS}`,
  rule((found, clause) =>
    /\(|pronoun|for me|please/i.test(clause.sentence) ? pronouns(found) : null,
  )`${PRONOUNS}(?= ?(?:\)|$|please|pronouns|for me))`,
  rule(zoned)`
    (?:my|our) time ?-?zone (?:is|'s|has changed to|changed to|:)?:?(?: now| actually| currently)? (?<zone>[^,;!?()]+)
  `,
  rule((zone) => (hasInOrder(zone, BEFORE_TIME, /time/i) ? null : zoned(zone)))`
    We (?:am|are|live|work|run) (?:now |currently |here )?(?:in|on|at|by) (?:the )?(?<zone>(?:UTC|GMT) ?
    (?:[+−-] ?\d{1,2}(?::\d\d)?)?|[ECMPA][SD]?T|CES?T|EES?T|WES?T|BST|IST|JST|KST|A[EWC][SD]?T|NZ[SD]?T|SGT|HKT|MSK
    |WIB|PHT|SAST|EAT|WAT|CAT|BRT|ART|[\p{L} -]+? time(?: ?zone)?|\p{Lu}\p{L}+\/\p{Lu}[\p{L}_]+)(?![\p{L}\p{N}])
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
