import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, END, liking, rule, STOP, stated, unless } from '../text/draft.ts';
import { clauseOf, thingOf, withoutTail } from '../text/phrases.ts';
import { LANGUAGE } from '../text/words.ts';

export const ONCE =
  /\b(?:today|tonight|tomorrow|this (?:time|morning|evening|afternoon|week|weekend|once|one)|right now|for now|at the moment|just now)\b/i;

const taste = (value: string, statement: string, confidence = 0.85): Draft | null =>
  value === '' ? null : liking('PREFERENCE', value, statement, { confidence });

const NO_CHOICE =
  /^(?:not|be|have to|go|stay|wait|pay|do|it|that|this|you|know|die|see|hear|keep|leave|talk|something|someone|one|anything)\b/i;

/** A make of car, or a kind of vehicle that is not driven for work. */
const VEHICLE = pattern('u')`
  ^(?:\p{Lu}[\p{L}\d-]*(?: [\p{Lu}\d][\p{L}\d-]*){0,4}|(?:van|motorbike|motorcycle|scooter|moped|camper(?:van)?|hybrid
  |diesel|pickup|electric car|cargo bike|recumbent|tandem)\b|(?:audi|bmw|chevy|citro[eë]n|dacia|ducati|fiat|ford|honda
  |hyundai|jeep|kia|lexus|mazda|mercedes|mini|nissan|opel|peugeot|porsche|renault|seat|skoda|subaru|suzuki|tesla|toyota
  |vauxhall|vespa|volvo|vw|yamaha)(?:(?= model) model [\d\p{L}]|(?! (?:and|but|so|to|which|for)\b) \p{L}+)?\b)
`;

export const HABITS = [
  rule((thing) => liking('INTEREST', thing, `supports ${thing}`))`
    I ~(?:support|root for|have ~supported) (?<thing>\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*){0,4})${END}
  `,
  rule((thing, { groups: { now = '' } }) => {
    const isLiked = /^(?:love|like|adore|enjoy)$/.test(now);
    return liking('PREFERENCE', thing, `${isLiked ? 'likes' : 'dislikes'} ${thing} now`, {
      polarity: isLiked ? 'POSITIVE' : 'NEGATIVE',
      isCorrection: true,
    });
  })`
    We used to (?:hate|dislike|loathe|detest|love|like|adore) (?<thing>[^,.;!?]{2,40}?),? but (?:(?:now|nowadays
    |these days|today) )?(?:I|we) ~(?<now>love|like|adore|enjoy|hate|dislike|detest|can not stand) (?:it|them)\b
  `,
  rule((when) => stated('CONSTRAINT', when, `works from ${when}`, { importance: 0.7 }))`
    my (?:working|office|work) hours are (?:from )?(?<when>\d[^,.;!?]{2,30}?)${STOP}
  `,
  ...unless(ONCE, [
    rule((thing, { groups: { how = '' } }) => taste(`${thing} ${how}`, `takes ${thing} ${how}`))`
      I ~(?:drink|take|have|like|prefer|want) my (?<thing>tea|coffee|espresso|eggs?|steaks?|toast|porridge|pasta|curry
      |whisky|gin|chai|food|meat|noodles|burgers?) (?<how>~(?:extra )?(?:black|white|strong|weak|sweet|hot|spicy|mild
      |plain|rare|medium|well done|neat|unsweetened|milky|iced|cold|al dente|dry|runny|scrambled|poached
      |without [\p{L}]+(?: or \p{L}+)?|with (?:(?:lots of|a lot of|oat|soy|cold|plenty of) )?[\p{L}]+))
    `,
    rule((thing, { groups: { other = '' } }) =>
      NO_CHOICE.test(thing) || /\b(?:you|this|that|it|another)\b/i.test(other)
        ? null
        : taste(withoutTail(thing), `prefers ${thing} to ${clauseOf(other)}`, 0.8),
    )`
      I would rather (?:have |drink |eat |take |use |get )?(?<thing>[^,.;!?]{2,40}?) (?:than|over
      |instead of) (?<other>[^,.;!?]+)
    `,
    rule((rest) => {
      const [thing = ''] = VEHICLE.exec(rest) ?? [];
      return taste(thing, `drives a ${thing}`, 0.8);
    })`
      I ~(?:drive|ride) an? (?:(?:old|new|small|little|red|blue|white|black|grey|second-hand|used|\d{4}|battered
      |trusty) ){0,4}(?<thing>[\p{L}].*)
    `,
    rule((what, { text }) =>
      /^(?:I|we) (?:\w+ )?have\b.*shift$/i.test(text)
        ? null
        : stated('CONSTRAINT', what, `works ${what}`, { importance: 0.7 }),
    )`
      We ~(?:(?:am |are )?working|work|am on|do|have|are on)(?: (?:mostly|only|permanent|always|rotating)){0,4} (?<what>
      (?:night|early|late|rotating|split|evening|weekend|(?:twelve|12)-hour|alternating) shifts?|nights)\b(?! (?:this
      |next|tonight|tomorrow|until))
    `,
    rule((group, { text }) =>
      /\bteacher|manager|coach\b/.test(text)
        ? null
        : liking('INTEREST', group, '', { statement: `The user: ${clauseOf(text)}.` }),
    )`
      I (?:am ~an? [\p{L}]+|~(?:sing|play(?: the)?(?: \p{L}+){0,2}|am)) in (?:an?|the|my|our) (?<group>
      (?:[\p{L}-]+ ){0,3}(?:choir|(?:brass |ceilidh )?band|orchestra|quartet|ensemble|(?:theatre|drama) group
      |(?:football|rugby) team|(?:rowing|chess|book|running) club))\b
    `,
  ]),
];

const NO_SUBJECT = pattern('i')`
  ^(?:the|this|that|since|last|my|your|for|at|in|on|with|hard|abroad|all|how|what|it|an?|here|there|from|until|late|online|full
  |part|together|alone|now|chapter|and|as|to|remotely|every)\b
`;

const IS_LANGUAGE = new IgnoringCase(`^${LANGUAGE}(?! (?:literature|studies|history|law))\\b`);

/** What the user studies, without the name of a school. */
export const SUBJECTS_STUDIED = [
  rule((subject, { sentence }) => {
    const value = thingOf(subject);
    const isOther = NO_SUBJECT.test(subject) || ONCE.test(sentence) || IS_LANGUAGE.test(subject);
    return value === null || isOther ? null : stated('IDENTITY', subject, `studies ${subject}`);
  })`
    I ~(?:(?:am )?(?:study(?:ing)?|major(?:ing)? in)|am doing (?:an?|my) (?:degree|master'?s|bachelor'?s|phd
    |doctorate) in|am in (?:my|the) (?:first|second|third|fourth|final|last) year of|am an? (?:first|second|third
    |final)-year student of)[ ](?<subject>[\p{L}][\p{L} -]{1,40}?)(?= (?:at|in|here|as|but|so|and (?:I|my|need|have
    |work\w*)|because|for|with|on|right|this|since)\b|[,.;!?)]|$)
  `,
];

const DEMONYM = source`
  american|british|canadian|australian|mexican|brazilian|austrian|swiss|belgian|scottish|indian|nigerian|ghanaian
  |kenyan|egyptian|moroccan|algerian|tunisian|argentinian|argentine|chilean|colombian|peruvian|cuban|venezuelan
  |pakistani|bangladeshi|israeli|lebanese|syrian|iraqi|iranian|filipino|filipina|south african|new zealander|kiwi
  |sri lankan|ethiopian|senegalese|jamaican|belarusian|bosnian|kosovan|northern irish|a brit|a scot|an aussie|a dane
  |a swede|a finn|a pole|a turk|a spaniard
`;

export const NATIONALITY = [
  rule((year) => stated('IDENTITY', year, `was born in ${year}`))`
    I was born (?:back )?in (?<year>(?:19|20)\d\d)\b
  `,
  rule((nation, { isContinued }) =>
    nation.length < 5 || (isContinued && !/^\p{Lu}/u.test(nation))
      ? null
      : stated('IDENTITY', nation.replace(/^an? /i, ''), `is ${nation}`),
  )`
    I am ~(?:an? )?(?<nation>(?:half[- ])?(?:${LANGUAGE}|${DEMONYM})(?:[- ](?:american|british|canadian|german|french
    |irish|italian|dutch))?)(?: by birth| born| myself| citizen| guy| girl| woman| man)?${END}
  `,
];
