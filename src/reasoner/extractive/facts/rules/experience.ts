import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, NEGATIVE, rule, stated } from '../text/draft.ts';
import { BUSINESS, isOccupation } from '../text/jobs.ts';
import { clauseOf, deedOf, thingOf, upTo, withoutTail } from '../text/phrases.ts';
import { placeOf } from '../text/places.ts';
import { FEW } from '../text/words.ts';

const WORDS_OF_A_PERIOD = pattern('i')`
  \b(?:for|since|over|almost|nearly|about|as a (?:kid|child|teen|student)|in my (?:twenties|thirties|teens|youth)
  |in (?:19|20)\d\d|from (?:19|20)\d\d|until|between|when I was|back in|during|years ago|before|briefly|on and off
  |most of|a (?:year|while|few)|several|${FEW}|growing up|once|there)\b
`;
const QUANTITY = source`
  a|an|one|${FEW}|eleven|twelve|fifteen|twenty|thirty|\d+|several|many|few|a few|some|most of|half|nearly|almost|over
  |about|my|the|all|more than|the last|a couple of|a good|half a
`;
export const TIME = source`
  (?:(?:${QUANTITY}) ){0,3}(?:${QUANTITY}) ?(?:years?|months?|decades?|summers?|winters?|weeks|semesters?|term
  |seasons?|childhood|twenties|youth|lifetime|life|gap year)
`;

export const lived = (value: string, says: string, confidence = 0.85): Draft =>
  stated('EXPERIENCE', value, says, { importance: 0.5, confidence });

/** What an achievement begins with: a number, an article, a preposition or a name. */
const A_LOT = `(?:(?:the|an?|${FEW}|twelve|\\d+|several|around|through|across|in|from|all (?:seven|of))\\b|\\p{Lu})`;
const STARTS_WITH_A_LOT = new RegExp(`^${A_LOT}`, 'u');

/** What the user did in their own words, without the subject. */
const wordsOf = (text: string): string => clauseOf(text.replace(/^(?:I|we) (?:have )?/, ''));
const inWords = (value: string, { text }: { text: string }): Draft =>
  lived(deedOf(value), wordsOf(text));

const NO_EXPERIENCE = pattern('i')`
  ^(?:(?:liked|enjoyed|cared|understood|noticed|thought|realised|realized|wanted|needed|touched|drunk|eaten|tried
  |managed|met)\b|(?:heard|seen|read|had|used|worried|asked|told|received|encountered) (?:(?:of|about|it|this|that
  |such|any|an? (?:better|problem|issue|reply|answer)|so|anything|him|her|you|why|how|one|these|those)\b|.*\b
  (?:like this|before in my life)\b))
`;

const NO_ACHIEVEMENT = pattern('i')`
  ^(?:it|this|that|the (?:first|second|end|garden|draft|phone|problem)|my|our|your|vain|advance|peace|silence
  |a (?:hurry|while|team))\b
`;

export const EXPERIENCE = [
  rule((place, { text }) => {
    const isStay = /^(?:abroad|on a |in a |skiing|sailing|camping)/.test(place);
    return never(text, placeOf(place) ?? (isStay ? thingOf(place) : null));
  })`
    We (?:have )?never ~(?:been|travell?ed|gone|flown|set foot|visited|lived)(?: before)? ?(?:to|in|inside|on|into
    |abroad|outside)? ?(?<place>[^,;.!?]*)
  `,
  rule((deed, { text }) => (NO_EXPERIENCE.test(deed) ? null : never(text, deedOf(deed))))`
    We have never ~(?<deed>(?:[\p{L}]+ed|ridden|seen|read|played|run|driven|flown|swum|eaten|drunk|held|made|done|sung
    |written|built|taught|worn|taken|caught|grown|given|broken|learnt|heard)\b.*)
  `,
  rule((place, { text }) => {
    const value = placeOf(place);
    const isLong =
      /used to live|year|month|decade|summer|winter|semester|childhood|youth|erasmus|stationed|posted/;
    const isPeriod = isLong.test(text) || WORDS_OF_A_PERIOD.test(place);
    return value === null || !isPeriod || /\b(?:last|this|the) (?:night|week|weekend)\b/.test(text)
      ? null
      : lived(value, `lived in ${clauseOf(place)}`);
  })`
    We ~(?:lived|used to live|(?:was|were) (?:based|living|stationed|posted)|stayed|did (?:a|my) (?:year|exchange
    |erasmus|semester)(?: abroad)?|spent (?:${TIME}(?: [a-z]+ing)?|[\p{L} ]{3,30}?)) (?:here |abroad )?(?:in|near|at
    |on) (?<place>.+)
  `,
  rule(inWords)`
    We (?:have )?~(?:served|was|enlisted|volunteered|fought|did|done|finished|completed) (?:(?:in|with|for|at) )?
    (?:\p{L}+ )?(?<what>(?:(?:royal|us|french|british|german|merchant|national|air|swiss|israeli|norwegian|finnish
    |danish|coast) ){0,4}(?:army|navy|air force|military|marines|marine corps|coast ?guard|reserves|police|peace corps
    |fire (?:brigade|service)|raf|red cross|scouts|foreign legion|national guard|special forces|peacekeepers
    |lifeboats?)|(?:compulsory |mandatory )?(?:national|military|civil|civilian|community|alternative) service
    |tours? (?:of duty )?(?:in|of) \S+)\b(?! of)
  `,
  rule(inWords)`
    We (?:have )?~(?:ran|owned|managed|used to (?:run|own|manage)|run|founded|sold) (?:an?|my own|our own|my
    |our) (?<shop>(?:[\p{L}-]+ ){0,3}?${BUSINESS})\b
  `,
  rule(inWords)`
    We (?:have )?~(?:moved|came|relocated|emigrated) (?:(?:over|here|over here
    |to this \p{L}+) )from (?<place>\p{Lu}\S+)
  `,
  rule(inWords)`
    I used to (?<what>(?:teach|coach|row|dance|compete|race|fence|box|ski|smoke|sail|busk|act|sing|paint|referee
    |garden|fish)\b(?: [^,.;!?]*)?)
  `,
  rule((job, { text }) => {
    const place = /\s(?:for|at|in|on|until|from|before|back|with|when|during|over|once)\b/i;
    const value = withoutTail(upTo(clauseOf(job), place));
    const isOther = /^I (?:was (?:just|about|so|there|told|with)|have been)\b/.test(text);
    const article = / an? $/.test(text.slice(0, text.length - job.length)) ? 'a ' : '';
    return isOther || !isOccupation(value) ? null : lived(value, `was ${article}${clauseOf(job)}`);
  })`
    I (?:was|(?:used to|had) (?:be|been)|trained as|(?:have |used to )?work(?:ed)? as|qualified as
    |started (?:out |my career )?as|spent ${TIME} as|served as) (?:an? |the )?(?<job>.+)
  `,
  rule((where, { text }) => {
    const value = deedOf(where);
    const isToday = /\b(?:yesterday|today|last night|this morning|for hours|all day|late)\b/i;
    if (value === '' || isToday.test(text) || NO_ACHIEVEMENT.test(value)) return null;
    return lived(value, wordsOf(text) || value);
  })`
    I (?:have )?~(?:used to (?:work|teach)|worked|taught|volunteered|interned|did an internship|had a job|trained
    |studied|(?:did|got) (?:my|a) (?:degree|phd|master'?s|bachelor's|training|undergrad|apprenticeship|studies)
    |went to (?:school|university|uni|college)|graduated|majored|was educated) ~(?:[\p{L} ]{2,30}? )?(?:at|for|in|from
    |with|as) (?<where>.+)
  `,
  rule(inWords, /^(?:it|this|that|the|my|your|hard|all|for|him)\b/i)`
    I (?:have )?~(?:studied|majored in|graduated in) (?<subject>[\p{L} ]{3,30}?)(?= (?:at|in|for|before|back|years
    |when|from|so|and|but)\b|[,.;!?]|$)
  `,
  rule((what, { groups: { rest = '' } }) => {
    // `deedOf` ends a clause at "and I" or "because" with a space before it, and the rest may begin with such a word.
    const more = deedOf(rest.replace(/^(?=\S)/, ' '));
    return lived(`${what}${more === '' ? '' : ` ${more}`}`.trim(), `has a ${what} ${more}`.trim());
  })`
    We ~(?:have(?: just finished)?|hold|did|got|earned|am halfway through) (?:an?|my|the|two|some|about|over|nearly
    |more than|almost) (?<what>(?:[\p{L}\d'’.-]+ ){0,4}?(?:degree|ph\.?d|doctorate|(?:master|bachelor)'?s|mba|(?:black
    |brown) belt|diploma|certificat(?:e|ion)|(?:pilot(?:'s)?|forklift|diving|hgv) licen[cs]e|qualification|background
    |apprenticeship|gold medal|brevet))(?<rest>.*)
  `,
  rule((what, { text }) => achieved(what, text))`
    We (?:have )?~(?:ran|run|finished|completed|climbed|hiked|walked|cycled|sailed|swam|swum|crossed|rowed|did|done
    |summited|won|published|written|wrote|built|survived|visited|been to|travell?ed|backpacked|toured|volunteered
    |hitchhiked|founded|sold|coached|ridden|rode|emigrated|spent) (?<what>${A_LOT}[^,;.!?]*)
  `,
];

const never = (text: string, value: string | null): Draft | null =>
  value ? { ...lived(value, `has ${wordsOf(text)}`), ...NEGATIVE, importance: 0.4 } : null;

const NOTABLE = pattern('i')`
  \b(?:marathons?|triathlons?|ironman|kilimanjaro|everest|mont blanc|camino|appalachian|trail|channel|atlantic|pacific
  |ocean|continents?|countries|olympic\w*|championships?|medals?|novels?|books?|papers?|albums?|patents?|cancer|stroke
  |startups?|compan(?:y|ies)|asia|europe|africa|america|world|peak|summit|mountains?|desert|route|circumnavigat\w*|km
  |kilometres|miles|half-?marathons?|ultras?|matterhorn|israel|himalayas?|alps|pilgrimage|years?|months)\b
`;

const DEED_AT_HAND = pattern('i')`
  ^(?:the|an?) (?:tests?|update|script|command|query|numbers|steps?|first|last|same|build|code|report|form|dishes
  |errands?|shopping|thing|job|e-?mail|message|draft|list)\b
`;

const FRESH =
  /\b(?:today|yesterday|this (?:morning|week)|last night|just now|tonight|already|twice now|so far|again|right now)\b/i;
const ON_FOOT =
  /\b(?:hiked|walked|climbed|cycled|sailed|ridden|rode|swum|swam|run|ran|finished|completed)\b/;

function achieved(what: string, text: string): Draft | null {
  const value = deedOf(what);
  const isCounted = STARTS_WITH_A_LOT.test(value) || /\b(?:been to|visited)\b/.test(text);
  const isChore =
    /\bhell\b|^(?:up|off|it|that|this|another|my|out)\b/i.test(value) ||
    /^I (?:\w+ )?did (?!an?|the|two|three|\d)/.test(text) ||
    DEED_AT_HAND.test(value);
  if (!isCounted || isChore || FRESH.test(text)) return null;
  const isTravel =
    /^(?:I|we) have (?:\w+ )?(?:been to|visited)\b/.test(text) && placeOf(value) !== null;
  const isNotable = NOTABLE.test(value);
  const isRoute = ON_FOOT.test(text) && /(?:^|[^\p{L}])\p{Lu}\p{L}+ \p{Lu}/u.test(value);
  return isTravel || isNotable || isRoute ? lived(value, wordsOf(text), 0.8) : null;
}
