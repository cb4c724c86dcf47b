import { asCorrections, type Draft, ended, rule, STOP } from '../text/draft.ts';
import { isOccupation } from '../text/jobs.ts';
import { clauseOf, upTo } from '../text/phrases.ts';
import { countryAfter, isCountry, placeOf } from '../text/places.ts';
import { profile } from '../text/profile.ts';
import { isTool } from './tools.ts';

function living(text: string): Draft[] {
  const place = placeOf(text);
  if (place === null) return [];
  if (isCountry(place)) return profile('country', place);
  return [...profile('city', place), ...profile('country', countryAfter(text, place))];
}

const moved = (text: string): Draft[] => asCorrections(living(text));

function origin(text: string): Draft[] {
  const place = placeOf(text);
  return place !== null && isCountry(place)
    ? profile('country', place, { statement: `The user comes from ${place}.`, importance: 0.7 })
    : profile('hometown', place);
}

const gone = (text: string): Draft[] =>
  ended(living(text).slice(0, 1), 'lives', 'does not live', { importance: 0.6 });

const ASKS_HOME = /\b(?:you\b.{0,20}\b(?:live|living|based|located)|your (?:city|home|address))\b/i;
const FOR_A_WHILE = /\b(?:for (?:a|the|work)|on (?:holiday|vacation|business)|until|this week)\b/i;

/** Where the user lives or lived: "I lived there for three years" is over, "I have lived there for three years" is not. */
export const HOME = [
  rule((place) => gone(upTo(place, / (?:anymore|any longer)\b/)))`
    We (?:(?:am |are )?no longer (?:live|living)|stopped living|used to be based) ~?in (?<place>.+)
  `,
  rule(gone)`We do not ~live in (?<place>.+?) (?:anymore|any longer|now)\b`,
  rule(living)`
    (?:I|we|my (?:family|partner|wife|husband|girlfriend|boyfriend|kids|son|daughter|dog|cat)(?:(?: \p{L}+)? and (?:I
    |me))) ~(?:live|living|reside|dwell|(?:am|are) ~(?:living|based|settled|residing|located|(?:a )?resident)
    |have ~been (?:living|based)) ~(?:alone |together |here |with (?:my|our) [^,.;]{2,30}? )?(?:out )?(?:in|of|near
    |(?:just )?outside) (?<place>.+)
  `,
  rule(living)`
    We have ~lived (?:here )?in (?<place>.+?(?: (?:since|for|all|my|now|over|almost|nearly|about|most)\b.*|$))
  `,
  rule((from, { groups: { place = '' } }) =>
    isTool(from) || isTool(clauseOf(place)) ? [] : moved(place),
  )`
    (?:(?:I|we) )?(?:have )?~(?:moved|relocated|settled|emigrated|immigrated) (?:(?:house|home|permanently|back|over
    |down|up|out|here|away|from (?<from>.{2,30}?)) )?(?:to|in) (?<place>.+)
  `,
  rule(living)`
    We ~(?:rent|own|(?:have |am |are )?(?:rented|renting)) (?:an?|our own|my own) (?:[\p{L}\d-]+ ){0,3}?(?:flat|house|room
    |apartment|place|studio|bungalow|cottage|bedsit|condo|townhouse) in (?<place>.+)
  `,
  rule(living)`We (?:call|consider) (?<place>\p{Lu}.+?) (?:my |our )?home\b`,
  rule(living)`
    (?:(?:my|our) (?:current )?(?:home|(?:home )?city|place|(?:home )?base) is|home (?:for (?:me|us) )?is)(?: now
    | currently)?(?: in)? (?<place>\p{Lu}.+)
  `,
  rule(living)`
    (?<place>\p{Lu}[\p{L} '-]+) is (?:now )?(?:where (?:I|we) (?:live|am based)|my home|my city|home now|home for me)
  `,
  rule((place, { text, sentence }, { known, asked }) => {
    const isSettled =
      /\bfor good|permanently|these days\b/.test(text.slice(0, 60)) &&
      known.some(({ key }) => key === 'profile:city');
    const isAnswer =
      ASKS_HOME.test(asked ?? '') && /\bnow\b/.test(text) && !FOR_A_WHILE.test(sentence);
    return isSettled || isAnswer ? moved(place) : null;
  })`We (?:am|are) (?:now )?in (?<place>\p{Lu}[\p{L}' -]+?)(?: now| these days)?${STOP}`,
  rule(origin)`
    We (?:(?:grew up|was ~(?:raised|brought up)|(?:was|am) ~born(?: and (?:raised|bred))?(?: in (?:19|20)\d\d)?|spent my childhood) (?:in
    |from)|(?:am|come|hail|came) ~from) (?<place>.+)
  `,
  rule(origin)`
    (?:born(?: and (?:raised|bred))?|originally from|grew up) (?:in )?(?<place>\p{Lu}.+)
  `,
  rule((job, { groups: { place = '' } }) => (isOccupation(job) ? origin(place) : null))`
    I am ~(?:an? )?(?<job>[\p{Ll}\d -]{3,40}?) from (?<place>\p{Lu}.+)
  `,
  rule(origin)`
    (?:my|the) (?:home ?town|birthplace|town I grew up in|place I grew up|native city) (?:is|was) (?:actually )?
    (?<place>.+)
  `,
  rule(living)`my (?:home )?country (?:of (?:birth|origin|residence) )?is (?<place>.+)`,
  rule(living)`(?:back |over )?here in (?<place>\p{Lu}.+?) (?:we|where I|it|I)\b`,
];
