import { pattern } from '../../../../language/text/pattern.ts';
import { type Draft, type More, type Rule, rule, stated } from '../text/draft.ts';
import { clauseOf, deedOf, withoutTail } from '../text/phrases.ts';
import { GREAT, isPersonality, TRAITS } from '../text/words.ts';

const character = (value: string, says: string, more: More = {}): Draft =>
  stated('PERSONALITY', value, says, { confidence: 0.85, importance: 0.5, ...more });

/** The noun of "I am a …" if it describes character. */
function typeOf(text: string): string | null {
  const noun = withoutTail(
    clauseOf(text)
      .replace(
        /\s(?:by nature|at heart|in the|when|who|with|about|by|at|through|and proud|even|on|for|to|since|all my life|in general)\b.*$/i,
        '',
      )
      .replace(/^(?:an?|the) /i, ''),
  );
  return isPersonality(noun) ? noun : null;
}

const AFTER_TRAIT = pattern('i')`
  ^(?:by nature|person|as a person|at heart|around (?:people|strangers|new people)|in general|to a fault
  |with (?:people|strangers|money|new people)|type|when it comes to|in (?:groups|meetings|crowds)|and\b|at parties)
`;

const MOOD = pattern()`
  ^(?:curious|nervous|anxious|quiet|restless|lazy|jealous|emotional|direct|dramatic|romantic|optimistic|pessimistic
  |cautious|picky|creative|generous|impatient|sceptical|skeptical)$
`;

function traitOf(text: string, degree: string): string | null {
  const clause = clauseOf(text);
  const [trait] = [...TRAITS]
    .filter((word) => clause.toLowerCase() === word || clause.toLowerCase().startsWith(`${word} `))
    .sort((a, b) => b.length - a.length);
  if (!trait) return null;
  const rest = clause.slice(trait.length).trim();
  const isLasting = rest === '' || AFTER_TRAIT.test(rest);
  const isMood = MOOD.test(trait);
  const isByNature =
    /by nature|naturally|always|generally|usually|person|very|pretty|quite|rather|extremely|kind of|a bit|fairly|super|such|so\b/.test(
      `${degree} ${rest}`,
    );
  return isLasting &&
    (!isMood || isByNature) &&
    !/\b(?:right now|today|tonight|this morning|at the moment|now)\b/.test(text)
    ? `${trait}${/^(?:person|around|with|in |by|when)/.test(rest) ? ` ${rest}` : ''}`
    : null;
}

/** How somebody works, in the third person. */
const DOES: Record<string, string> = {
  work: 'works',
  focus: 'focuses',
  concentrate: 'concentrates',
  think: 'thinks',
  learn: 'learns',
  write: 'writes',
  study: 'studies',
};

/** What the user is like. */
export const CHARACTER: readonly Rule[] = [
  rule((rest) => {
    const value = typeOf(rest) ?? traitOf(rest, 'very');
    return value === null || /^(?:picky|fussy|lazy)/.test(value)
      ? null
      : character(value, `is not ${value}`, { polarity: 'NEGATIVE' });
  })`
    I (?:am|have) (?:really |definitely |just |certainly |absolutely ){0,4}(?:not|never been|no longer
    |never) (?:(?:really|exactly|much of|at all|particularly|very|much|the most|that|especially|what you would call
    |been) ){0,4}(?:an? |the )?(?:big |very |particularly |real |great ){0,4}(?<rest>.+)
  `,
  rule((degree, { groups: { rest = '' } }) => {
    const type = typeOf(rest);
    if (type !== null) return character(type, `is a ${type}`, { confidence: 0.9 });
    const trait = traitOf(rest, degree);
    return trait === null ? null : character(trait, `is ${degree}${trait}`);
  })`
    (?:I (?:am|have(?: always)? been|have become|consider myself|see myself as|would (?:call
    |describe) myself(?: as)?|tend to be|was always|was born)|(?:people|my friends) say I am|call me) (?<degree>~(?:
    (?:somewhat|naturally|a little|too|more|the|by nature|(?:such|more of|a bit of|quite) an?|been|clearly|terribly
    |awfully|incredibly|hopelessly|notoriously|famously|painfully|highly) ){0,4})(?:an? )?(?:(?:${GREAT}) ){0,4}
    (?<rest>.+)
  `,
  rule((rest) => character(deedOf(rest), `is not good ${deedOf(rest)}`, { polarity: 'NEGATIVE' }))`
    I (?:am|have) (?:not|never)(?: been)? (?:any |much |very |particularly |really |so |too |exactly ){0,4}(?:good
    |great|brilliant) (?<rest>(?:at|with) (?!this\b|that\b|it\b|these\b).+)
  `,
  rule((rest) => character(deedOf(rest), `is ${deedOf(rest)}`))`
    I am ~(?<rest>(?:terrible|bad|hopeless|rubbish|awful|useless|no good|dreadful|horrible|lousy|shocking) (?:at
    |with) (?!this\b|that\b|it\b|these\b|explaining\b).+)
  `,
  rule((rest) => character(deedOf(rest), `is someone who ${deedOf(rest)}`))`
    I am ~(?:(?:the|an?) (?:kind|type|sort) of (?:person|guy|girl|man|woman|human|traveller|student)|someone
    |somebody|a person|one of those(?: people)?) (?:who|that) (?:always |usually |really ){0,4}(?<rest>.+)
  `,
  rule((type) => (isPersonality(type) ? character(type, `is a ${type}`) : null))`
    (?:an? )?(?:(?:${GREAT}) ){0,4}(?<type>[\p{L} -]{4,25}) (?:here|speaking)\b
  `,
  rule(
    (rest) => character(deedOf(rest), `tends to ${deedOf(rest)}`, { confidence: 0.75 }),
    /^(?:be|use|buy|agree|think|forget (?:to|this|that))\b/,
  )`
    I (?:do |often ){0,4}tend to (?<rest>.+)
  `,
  rule((deed, { groups: { rest = '' } }) => {
    const value = `${DOES[deed.toLowerCase()]} best ${clauseOf(rest)}`;
    return character(value, value);
  })`
    I (?:always |usually |generally |still |really ){0,3}(?<deed>work|focus|concentrate|think|learn|write
    |study) best (?<rest>(?:in|at|on|from|before|after|early|late|alone|when|while|under|with|without)\b.+)
  `,
  rule((deed, { groups: { rest = '' } }) =>
    character(`${deed} ${clauseOf(rest)}`, `tends to ${deed} ${clauseOf(rest)}`),
  )`
    I ~(?<deed>overthink|procrastinate|worry|panic|cry|blush|overpack|overplan|second-guess myself|doubt myself
    |overcommit) ?(?<rest>(?:everything|a lot|too much|about everything|constantly|all the time|easily|way too much
    |at everything|too easily|every decision|every time|badly|by default|over nothing|like mad).*)
  `,
  rule((rest) => character(rest, `gets ${rest}`))`
    I ~get ~(?<rest>(?:bored|distracted|stressed|overwhelmed|anxious|nervous|jealous|lost|seasick|carsick
    |motion sick|flustered|frustrated|angry|hangry|homesick|stage fright|attached|upset|scared
    |cold feet) (?:really |very |so )?(?:easily|quickly|fast|around (?:people|crowds|strangers|new people)
    |in (?:crowds|groups)|on stage|all the time|a lot)).*
  `,
];
