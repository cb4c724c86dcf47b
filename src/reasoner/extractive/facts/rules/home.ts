import { source } from '../../../../language/text/pattern.ts';
import { type Draft, profile, type Rule, rule, rules } from '../text/draft.ts';
import { isOccupation } from '../text/jobs.ts';
import { clauseOf } from '../text/phrases.ts';
import { countryAfter, isCountry, placeOf } from '../text/places.ts';
import { isTool } from './tools.ts';

function living(text: string, isCorrection = false): Draft[] {
  const place = placeOf(text);
  if (place === null) return [];
  const at = (attribute: string, value: string | null) =>
    profile(attribute, value, (home) => `The user lives in ${home}.`, {
      confidence: 0.95,
      importance: 0.8,
      isCorrection,
    });
  if (isCountry(place)) return at('country', place);
  return [...at('city', place), ...at('country', countryAfter(text, place))];
}

/** The attribute of a place: always the same for a country. */
const attributeOf = (place: string | null, otherwise: string): string =>
  place !== null && isCountry(place) ? 'country' : otherwise;

function origin(text: string): Draft[] {
  const place = placeOf(text);
  const statement = (from: string) => `The user comes from ${from}.`;
  return profile(attributeOf(place, 'hometown'), place, statement, { importance: 0.7 });
}

function gone(text: string): Draft[] {
  const place = placeOf(text);
  const statement = (from: string) => `The user does not live in ${from}.`;
  const more = { polarity: 'NEGATIVE', importance: 0.6, isCorrection: true } as const;
  return profile(attributeOf(place, 'city'), place, statement, more);
}

/** Where the user lives or lived: "I lived there for three years" is over, "I have lived there for three years" is not. */
export const HOME: readonly Rule[] = [
  rule(
    source`
      (?:I|we) (?:no longer live|do not live|do not ~live|stopped living|am no longer living
      |used to be based) ~?in (?<place>.+?\b(?:anymore|any longer|now)|.+)
    `,
    ({ place = '' }, { text }) =>
      /\bno longer|anymore|any longer|stopped\b/.test(text)
        ? gone(place.replace(/ (?:anymore|any longer)$/, ''))
        : null,
  ),
  ...rules(
    ({ place = '' }, { isCorrection }) => living(place, isCorrection),
    [
      source`
        (?:I|we|my (?:family|partner|wife|husband|girlfriend|boyfriend|kids|son|daughter|dog
        |cat)(?:(?: \p{L}+)? and (?:I|me))) ~(?:live|living|reside|dwell
        |stay permanently) ~(?:alone |together |with (?:my|our) [^,.;]{2,30}? )?(?:in|near|outside
        |just outside) (?<place>.+)
      `,
      '(?:I|we) (?:am|are) ~(?:living|based|settled|residing|located|resident|a resident) (?:out )?(?:in|of|near|outside) (?<place>.+)',
      source`
        (?:I|we) have ~(?:lived|been living|been based) (?:here )?in (?<place>.+?(?: (?:since|for|all|my|now|over
        |almost|nearly|about|most)\b.*|$))
      `,
    ],
  ),
  rule(
    source`
      (?:I|we) (?:have )?~(?:moved|relocated|settled|emigrated|immigrated|resettled
      |upped sticks and moved) (?:house |home |permanently |back |over |down |up |out |here |away |fro
      m (?<from>.{2,30}?) )?(?:to|in) (?<place>.+)
    `,
    ({ place = '', from = '' }) =>
      isTool(from) || isTool(clauseOf(place)) ? [] : living(place, true),
  ),
  rule(
    '(?:moved|relocated|just moved|recently moved|have moved) (?:back |over |down |up |from .{2,30}? )?to (?<place>.+)',
    ({ place = '' }) => living(place, true),
  ),
  rule('(?:I|we) (?:call|consider) (?<place>\\p{Lu}.+?) (?:my |our )?home\\b', ({ place = '' }) =>
    living(place),
  ),
  ...rules(
    ({ place = '' }, { isCorrection }) => living(place, isCorrection),
    [
      source`
        (?:my|our) (?:home|current city|city|home city|current home|place|base|home base) (?:is|is in|is now
        |is now in|is currently) (?<place>\p{Lu}.+)
      `,
      'home (?:for me |for us )?is (?:now |currently )?(?:in )?(?<place>\\p{Lu}.+)',
      "(?<place>\\p{Lu}[\\p{L} '-]+) is (?:now )?(?:where (?:I|we) (?:live|am based)|my home|my city|home now|home for me)",
    ],
  ),
  rule(
    "(?:I|we) (?:am|are) (?:now in|in) (?<place>\\p{Lu}[\\p{L}' -]+?)(?: now| these days)?(?=[,.;!?]|$| and | so )",
    ({ place = '' }, { text, sentence }, { known, asked }) => {
      const isSettled =
        /\bnow for good|for good now|for good|permanently|these days\b/.test(text.slice(0, 60)) &&
        known.some(({ key }) => key === 'profile:city');
      const isAnswer =
        /\b(?:you\b.{0,20}\b(?:live|living|based|located)|your (?:city|home|address))\b/i.test(
          asked ?? '',
        ) &&
        /\bnow\b/.test(text) &&
        !/\b(?:for (?:a|the|work)|on (?:holiday|vacation|business)|until|this week)\b/i.test(
          sentence,
        );
      const isMove = isSettled || isAnswer;
      return isMove ? living(place, true) : null;
    },
  ),
  rule(
    source`
      (?:I|we) ~(?:(?:grew up|was raised|was brought up|was born and raised|was born and bred|am born and raised
      |was born|spent my childhood|come originally|originally come) (?:in|from)
      |(?:am|come|am originally|hail|originally come|came originally) (?:originally )?from) (?<place>.+)
    `,
    ({ place = '' }) => origin(place),
  ),
  rule(
    'I am ~(?:an? )?(?<job>[\\p{Ll}\\d -]{3,40}?) from (?<place>\\p{Lu}.+)',
    ({ job = '', place = '' }) => (isOccupation(job) ? origin(place) : null),
  ),
  ...rules(
    ({ place = '' }) => origin(place),
    [
      '(?:my|the) (?:home ?town|birthplace|town I grew up in|place I grew up|native city) (?:is|was) (?:actually )?(?<place>.+)',
      '(?:born and (?:raised|bred)|originally from|grew up|born) (?:in )?(?<place>\\p{Lu}.+)',
    ],
  ),
  ...rules(
    ({ place = '' }) => living(place),
    [
      'my (?:home )?country (?:of (?:birth|origin|residence) )?is (?<place>.+)',
      '(?:here in|back here in|over here in) (?<place>\\p{Lu}.+?) (?:we|where I|it|I)\\b',
    ],
  ),
];
