import { pattern, source } from '../../../../language/text/pattern.ts';
import { occupationOf } from '../rules/work.ts';
import { type Draft, draft, type Rule, rule } from '../text/draft.ts';
import { withoutTail } from '../text/phrases.ts';
import { placeOf } from '../text/places.ts';
import type { Being, Scene } from '../text/scene.ts';
import { isBreed } from '../text/words.ts';
import { aged } from './being-facts.ts';

const NUMBER = source`
  (?<age>\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen
  |sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)
`;
const AGE_END = source`
  (?=\s*(?:$|[.;!?)–—]|,|-?\s?(?:years?|yrs?|months?)(?:[- ]old)?\b(?! (?:older|younger|ago|away))|\s?y\.?/?o\b
  |and\b(?! a half)|but\b|so\b|now\b|today\b|this\b|last\b|yesterday\b|already\b|on\b|in\b(?! (?:line|the))
  |with\b|who\b|too\b))
`;
const IS = "(?:is|'s|are|was)";

const attribute = (
  being: Being,
  name: string,
  value: string,
  statement: string,
  isCorrection: boolean,
): Draft =>
  draft('RELATIONSHIP', {
    key: `${being.kind === 'PET' ? 'profile:pet' : 'person'}:${being.who}:${name}`,
    value,
    statement: `${being.label} ${statement}.`,
    importance: 0.5,
    isCorrection,
  });

type Tell = (
  being: Being,
  found: Record<string, string>,
  isCorrection: boolean,
) => Draft | Draft[] | null;
const of = (source: string, tell: Tell): Rule =>
  rule(source, (found, { isCorrection }, { last }: Scene) =>
    last ? tell(last, found, isCorrection) : null,
  );

function livesIn(being: Being, place = '', isCorrection = false): Draft | null {
  const city = placeOf(place);
  return city === null || being.kind === 'PET'
    ? null
    : attribute(being, 'city', city, `lives in ${city}`, isCorrection);
}

function breed(being: Being, text: string): Draft | null {
  const noun = withoutTail(
    text.split(/[,.;!?()]| (?:and|but|so|who|that|with|which|because)\b/)[0] ?? '',
  ).replace(/^(?:pure-?bred|pedigree|half|rescue|cross-?bred) /i, '');
  return being.kind === 'PET' && isBreed(noun)
    ? attribute(being, 'breed', noun, `is a ${noun}`, false)
    : null;
}

function works(being: Being, text: string, isCorrection: boolean): Draft | null {
  const job = being.kind === 'PERSON' ? occupationOf(text) : null;
  return job === null ? null : attribute(being, 'occupation', job, `works as ${job}`, isCorrection);
}

/** What a clause may say about somebody close to the user, after the name. */
export const PREDICATES: readonly Rule[] = [
  of(
    `(?:who )?(?:${IS} |has )?~(?:turned |aged |now |only |just turned |is )?~${NUMBER}${AGE_END}`,
    (being, { age = '' }, isCorrection) => aged(being, age, isCorrection),
  ),
  of(`(?:who )?${IS} ~an? ${NUMBER}[- ]years?[- ]old\\b`, (being, { age = '' }, isCorrection) =>
    aged(being, age, isCorrection),
  ),
  of(
    `(?:who )?(?:celebrated|had|just had) (?:his|her|their|its) (?<age>\\d{1,3})(?:th|st|nd|rd) birthday`,
    (being, { age = '' }) => aged(being, age, true),
  ),
  of(`(?:who )?has ${NUMBER} years(?: old)?(?=[,.;!?)]|$)`, (being, { age = '' }) =>
    aged(being, age),
  ),
  of(
    `(?:who )?${IS} ~allergic to (?<thing>[\\p{L}][\\p{L} -]{2,30}?)(?=[,.;!?)]|$| and | so | but )`,
    (being, { thing = '' }, isCorrection) =>
      attribute(being, 'allergy', thing, `is allergic to ${thing}`, isCorrection),
  ),
  of(
    source`
      's (?:birthday|bday) (?:is|falls)(?: actually| also)? (?:on )?(?:the )?(?<date>(?:\d{1,2}(?:st|nd|rd
      |th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*
      |(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d{1,2}(?:st|nd|rd|th)?))
    `,
    (being, { date = '' }, isCorrection) =>
      attribute(being, 'birthday', date, `has a birthday on ${date}`, isCorrection),
  ),
  of(
    '(?:who )?(?:has |have )?~(?:moved|relocated|emigrated) (?:back |over |out |down |up |away |from .{2,30}? )?to (?<place>.+)',
    (being, { place }) => livesIn(being, place, true),
  ),
  of(
    source`
      (?:who )?~(?:lives?|living|resides|${IS} (?:now )?(?:based|living)|has (?:been living|lived)
      |settled) (?:alone |together |now |currently |all the way |over |out |down |up ){0,4}(?:in|near
      |outside) (?<place>.+)
    `,
    (being, { place }, isCorrection) => livesIn(being, place, isCorrection),
  ),
  of(
    source`
      (?:who )?~(?:works?|is working|has been working|retrained|got a job|is employed|has started
      |started(?: working)?|has just started(?: working)?) (?:now )?(?:part[- ]time |full[- ]time )?as (?:an? )?
      (?<job>.+)
    `,
    (being, { job = '' }, isCorrection) => works(being, job, isCorrection),
  ),
  of(
    `(?:who )?(?:${IS}|has become|became|has been) ~(?:an? |the )(?<rest>.+)`,
    (being, { rest = '' }, isCorrection) => breed(being, rest) ?? works(being, rest, isCorrection),
  ),
  of(`(?:who )?${IS} (?:now |currently )?(?<place>in \\p{Lu}.+ now)`, (being, { place = '' }) =>
    livesIn(being, place.replace(/^in | now$/g, ''), true),
  ),
  of(
    `(?:${IS}|has become|became) (?:now |officially ){0,4}(?:my|our) (?<role>[\\p{L}-]+(?: [\\p{L}-]+)?)(?: now)?(?=[,.;!?]| and |$)`,
    (being, { role = '' }, isCorrection) => {
      const relation = withoutTail(role).toLowerCase();
      return being.kind === 'PERSON' && RELATION_ONLY.test(relation)
        ? attribute({ ...being }, 'relation', relation, `is the user's ${relation}`, isCorrection)
        : null;
    },
  ),
  of(
    `(?:who )?(?:${IS} no longer|is not) (?:my|our) (?<role>[\\p{L}-]+)(?: anymore)?`,
    (being, { role = '' }) =>
      RELATION_ONLY.test(role)
        ? {
            ...attribute(being, 'relation', role, `is no longer the user's ${role}`, true),
            polarity: 'NEGATIVE',
          }
        : null,
  ),
];

const RELATION_ONLY = pattern('i')`
  ^(?:(?:best|close|good|old|new|business|line) )?(?:wife|husband|spouse|partner|girlfriend|boyfriend
  |fianc[eé]e?|friend|boss|manager|colleague|coworker|flatmate|roommate|housemate|neighbou?r|mentor|coach|ex
  |ex-wife|ex-husband|landlord|landlady|teammate|stepmum|stepdad|sister-in-law|brother-in-law|assistant|tutor
  |lodger|tenant)$
`;
