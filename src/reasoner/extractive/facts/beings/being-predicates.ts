import { source } from '../../../../language/text/pattern.ts';
import { occupationOf } from '../rules/work.ts';
import { asCorrections, type Draft, draft, type Rule, rule } from '../text/draft.ts';
import { withoutTail } from '../text/phrases.ts';
import { placeOf } from '../text/places.ts';
import type { Being } from '../text/scene.ts';
import { FEW, isBreed, RELATION, TEENS, TENS } from '../text/words.ts';
import { aged } from './being-facts.ts';

const NUMBER = source`
  (?<age>\d{1,3}|one|${FEW}|${TEENS}|${TENS})
`;
const AGE_END = source`
  (?=\s*(?:$|[.;!?)–—]|,|-?\s?(?:years?|yrs?|months?)(?:[- ]old)?\b(?! (?:older|younger|ago|away))|\s?y\.?/?o\b
  |and\b(?! a half)|but\b|so\b|now\b|today\b|this\b|last\b|yesterday\b|already\b|on\b|in\b(?! (?:line|the))|with\b
  |who\b|too\b))
`;
const RELATION_ONLY = new RegExp(`^(?:(?:business|line) )?${RELATION}$`, 'i');
const IS = "(?:is|'s|are|was)";

const attribute = (being: Being, name: string, value: string, says: string): Draft =>
  draft('RELATIONSHIP', {
    key: `${being.kind === 'PET' ? 'profile:pet' : 'person'}:${being.who}:${name}`,
    value,
    statement: `${being.label} ${says}.`,
    importance: 0.5,
  });

/** A rule about the being mentioned last. */
const of = (draftOf: (being: Being, value: string) => Draft | Draft[] | null) =>
  rule((value, _match, { last }) => last && draftOf(last, value));

function livesIn(being: Being, place: string): Draft | null {
  const city = placeOf(place);
  return city === null || being.kind === 'PET'
    ? null
    : attribute(being, 'city', city, `lives in ${city}`);
}

function breed(being: Being, text: string): Draft | null {
  const noun = withoutTail(
    text.split(/[,.;!?()]| (?:and|but|so|who|that|with|which|because)\b/)[0] ?? '',
  ).replace(/^(?:pure-?bred|pedigree|half|rescue|cross-?bred) /i, '');
  return being.kind === 'PET' && isBreed(noun)
    ? attribute(being, 'breed', noun, `is a ${noun}`)
    : null;
}

function works(being: Being, text: string): Draft | null {
  const job = being.kind === 'PERSON' ? occupationOf(text) : null;
  return job === null ? null : attribute(being, 'occupation', job, `works as ${job}`);
}

/** What a clause may say about somebody close to the user, after the name. */
export const PREDICATES: readonly Rule[] = [
  of(aged)`
    (?:who )?(?:${IS} |has )?~(?:turned |aged |now |only |just turned |is )?~${NUMBER}${AGE_END}
  `,
  of(aged)`(?:who )?${IS} ~an? ${NUMBER}[- ]years?[- ]old\b`,
  of((being, age) => asCorrections(aged(being, age)))`
    (?:who )?(?:celebrated|had|just had) (?:his|her|their|its) (?<age>\d{1,3})(?:th|st|nd|rd) birthday
  `,
  of(aged)`(?:who )?has ${NUMBER} years(?: old)?(?=[,.;!?)]|$)`,
  of((being, thing) => attribute(being, 'allergy', thing, `is allergic to ${thing}`))`
    (?:who )?${IS} ~allergic to (?<thing>[\p{L}][\p{L} -]{2,30}?)(?=[,.;!?)]|$| and | so | but )
  `,
  of((being, date) => attribute(being, 'birthday', date, `has a birthday on ${date}`))`
    's (?:birthday|bday) (?:is|falls)(?: actually| also)? (?:on )?(?:the )?(?<date>(?:\d{1,2}(?:st|nd|rd
    |th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep
    |oct|nov|dec)\p{L}* \d{1,2}(?:st|nd|rd|th)?))
  `,
  of((being, place) => asCorrections(livesIn(being, place)))`
    (?:who )?(?:has |have )?~(?:moved|relocated|emigrated) (?:(?:back|over|out|down|up|away
    |from .{2,30}?) )?to (?<place>.+)
  `,
  of(livesIn)`
    (?:who )?~(?:lives?|living|resides|${IS} (?:now )?(?:based|living)|has (?:been living|lived)
    |settled) (?:alone |together |now |currently |all the way |over |out |down |up ){0,4}(?:in|near
    |outside) (?<place>.+)
  `,
  of(works)`
    (?:who )?~(?:works?|is working|has been working|retrained|got a job|is employed|has started|started(?: working)?
    |has just started(?: working)?) (?:now )?(?:part[- ]time |full[- ]time )?as (?:an? )?(?<job>.+)
  `,
  of((being, rest) => breed(being, rest) ?? works(being, rest))`
    (?:who )?(?:${IS}|has become|became|has been) ~(?:an? |the )(?<rest>.+)
  `,
  of((being, place) => asCorrections(livesIn(being, place.replace(/^in | now$/g, ''))))`
    (?:who )?${IS} (?:now |currently )?(?<place>in \p{Lu}.+ now)
  `,
  of((being, role) => {
    const relation = withoutTail(role).toLowerCase();
    return being.kind === 'PERSON' && RELATION_ONLY.test(relation)
      ? attribute(being, 'relation', relation, `is the user's ${relation}`)
      : null;
  })`
    (?:${IS}|has become|became) (?:now |officially ){0,4}(?:my|our) (?<role>[\p{L}-]+(?: [\p{L}-]+)?)(?: now)?
    (?=[,.;!?]| and |$)
  `,
  of((being, role) =>
    RELATION_ONLY.test(role)
      ? {
          ...attribute(being, 'relation', role, `is no longer the user's ${role}`),
          polarity: 'NEGATIVE',
          isCorrection: true,
        }
      : null,
  )`
    (?:who )?(?:${IS} no longer|is not) (?:my|our) (?<role>[\p{L}-]+)(?: anymore)?
  `,
];
