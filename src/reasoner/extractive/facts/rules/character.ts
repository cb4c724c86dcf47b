import { pattern } from '../../../../language/text/pattern.ts';
import { type Draft, NEGATIVE, rule, stated } from '../text/draft.ts';
import { clauseOf, deedOf, withoutTail } from '../text/phrases.ts';
import { GREAT, isPersonality, TRAITS } from '../text/words.ts';

const character = (value: string, says: string, more?: Partial<Draft>): Draft =>
  stated('PERSONALITY', value, says, { confidence: 0.85, importance: 0.5, ...more });

/** The noun of "I am a …" if it describes character. */
function typeOf(text: string): string | null {
  const noun = withoutTail(
    clauseOf(text)
      .replace(
        /\s(?:in the|when|who|with|about|by|at|through|and proud|even|on|for|to|since|all my life|in general)\b.*$/i,
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

const BY_NATURE =
  /\b(?:nature|naturally|always|generally|usually|person|very|pretty|quite|rather|extremely|kind of|a bit|fairly|super|such|so)\b/;
const NOW = /\b(?:right now|today|tonight|this morning|at the moment|now)\b/;

function traitOf(text: string, degree: string): string | null {
  const clause = clauseOf(text);
  const [trait] = [...TRAITS]
    .filter((word) => clause.toLowerCase() === word || clause.toLowerCase().startsWith(`${word} `))
    .sort((a, b) => b.length - a.length);
  if (!trait) return null;
  const rest = clause.slice(trait.length).trim();
  const isLasting = rest === '' || AFTER_TRAIT.test(rest);
  const isByNature = !MOOD.test(trait) || BY_NATURE.test(`${degree} ${rest}`);
  return isLasting && isByNature && !NOW.test(text)
    ? `${trait}${/^(?:person|around|with|in |by|when)/.test(rest) ? ` ${rest}` : ''}`
    : null;
}

export const CHARACTER = [
  rule((rest) => {
    const type = typeOf(rest);
    const value = type ?? traitOf(rest, 'very');
    return value === null || /^(?:picky|fussy|lazy)/.test(value)
      ? null
      : character(value, `is not ${type === null ? '' : 'a '}${value}`, NEGATIVE);
  })`
    I (?:am|have) ~(?:not|no longer|never) ~(?:at all |much of |the most |that |been ){0,4}(?:an? |the )?(?:big |very
    |real |great ){0,4}(?<rest>.+)
  `,
  rule((degree, { groups: { rest = '' } }) => {
    const type = typeOf(rest);
    if (type !== null) return character(type, `is a ${type}`, { confidence: 0.9 });
    const trait = traitOf(rest, degree);
    return trait === null ? null : character(trait, `is ${degree}${trait}`);
  })`
    (?:I (?:am|have ~been|have become|consider myself|see myself as|would (?:call|describe) myself(?: as)?|tend to be
    |was ~born)|(?:people|my friends) say I am|call me) (?<degree>~(?:(?:somewhat|naturally|a little|more|the
    |by nature|(?:such|quite) an?|been|clearly|terribly|awfully|incredibly|hopelessly|notoriously|painfully
    |highly) ){0,4})(?:an? )?(?:(?:${GREAT}) ){0,4}(?<rest>.+)
  `,
  rule((rest) => character(deedOf(rest), `is ${deedOf(rest)}`))`
    I am ~(?<rest>(?:not (?:any |that )?~(?:good|great|brilliant)|terrible|bad|hopeless|rubbish|awful|useless|no good
    |dreadful|horrible) (?:at|with) (?!this\b|that\b|it\b|these\b).+)
  `,
  rule((rest) => character(deedOf(rest), `is someone who ${deedOf(rest)}`))`
    I am ~(?:(?:the|an?) (?:kind|type|sort) of \p{L}+|some(?:one|body)|a person|one of those(?: people)?) (?:who
    |that) ~(?<rest>.+)
  `,
  rule(
    (rest) => character(deedOf(rest), `tends to ${deedOf(rest)}`, { confidence: 0.75 }),
    /^(?:be|use|buy|agree|think|forget (?:to|this|that))\b/,
  )`I (?:do )?~tend to (?<rest>.+)`,
  rule((deed, { groups: { rest = '' } }) => {
    const value = `${deed.replace(/y$/, 'ie').replace(/s$/, 'se')}s best ${clauseOf(rest)}`;
    return character(value, value);
  })`
    I (?<deed>work|focus|concentrate|think|learn|write|study) best (?<rest>(?:in|at|on|from|before|after|early|late
    |alone|when|while|under|with|without)\b.+)
  `,
  rule((deed, { groups: { rest = '' } }) =>
    character(`${deed} ${clauseOf(rest)}`, `tends to ${deed} ${clauseOf(rest)}`),
  )`
    I ~(?<deed>overthink|procrastinate|worry|panic|cry|blush|over(?:pack|plan|commit)|(?:second-guess|doubt) myself) ?
    (?<rest>(?:(?:about |at )?everything|a lot|(?:way )?too (?:much|easily)|constantly|all the time|easily
    |every (?:decision|time)|badly|by default|over nothing).*)
  `,
  rule((rest) => character(rest, `gets ${rest}`))`
    I ~get ~(?<rest>(?:[a-z]+(?:ed|ous|sick)|jealous|lost|angry|hangry|upset|stage fright
    |cold feet) (?:really |very |so )?(?:easily|quickly|fast|(?:around|in) (?:(?:new )?people|crowds|strangers|groups)
    |on stage|all the time|a lot)).*
  `,
];
