import { normalValue } from '../../../../domain/facts/fact-key.ts';
import { MONTHS } from '../../../../language/en/time/named-date.ts';
import { source } from '../../../../language/text/pattern.ts';
import { occupationOf } from '../rules/work.ts';
import { asCorrections, type Draft, END, ended, rule } from '../text/draft.ts';
import { clauseOf, withoutTail } from '../text/phrases.ts';
import { placeOf } from '../text/places.ts';
import type { Being, Scene } from '../text/scene.ts';
import { AGE_END, FEW, isBreed, RELATION, TEENS, TENS } from '../text/words.ts';
import { aged, attribute } from './being-facts.ts';
import { ENDED } from './endings.ts';

const NUMBER = source`(?<age>\d{1,3}|one|${FEW}|${TEENS}|${TENS})`;
const RELATION_ONLY = new RegExp(`^(?:(?:business|line) )?${RELATION}$`, 'i');
const MONTH = `(?:${MONTHS.map((name) => name.slice(0, 3)).join('|')})\\p{L}*`;
const IS = "(?:is|'s|are|was)";

/** A rule about the being mentioned last. */
const of = (
  draftOf: (being: Being, value: string, known: Scene['known']) => Draft | Draft[] | null,
) => rule((value, _match, { last, known }) => last && draftOf(last, value, known));

function livesIn(being: Being, place: string): Draft | null {
  const city = placeOf(place);
  return city === null || being.kind === 'PET'
    ? null
    : attribute(being, 'city', city, `lives in ${city}`);
}

function breed(being: Being, text: string): Draft | null {
  const isOf = /^(?:pure-?bred|pedigree|half|rescue|cross-?bred) /i;
  const noun = clauseOf(text.split(' with ')[0] ?? '').replace(isOf, '');
  return being.kind === 'PET' && isBreed(noun)
    ? attribute(being, 'breed', noun, `is a ${noun}`)
    : null;
}

function works(being: Being, text: string): Draft | null {
  const job = being.kind === 'PERSON' ? occupationOf(text) : null;
  return job === null ? null : attribute(being, 'occupation', job, `works as ${job}`);
}

const allergic = (being: Being, thing: string): Draft =>
  attribute(being, 'allergy', thing, `is allergic to ${thing}`);

/** The end of an allergy, unless another one is known: a key holds one. */
function allergyOver(being: Being, thing: string, known: Scene['known']): Draft[] {
  const over = ended([allergic(being, thing)], ' is ', ' is not ');
  return over.filter(({ key, value }) =>
    known.every((fact) => fact.key !== key || normalValue(fact.value) === normalValue(value)),
  );
}

/** What a clause may say about somebody close to the user, after the name. */
export const PREDICATES = [
  ...ENDED,
  of(aged)`
    (?:${IS} |has )?~(?:turned |aged |now |only |just turned |is )?~(?:an? )?${NUMBER}${AGE_END}
  `,
  of(allergic)`${IS} ~allergic to (?<thing>[\p{L}][\p{L} -]{2,30}?)${END}`,
  of(allergyOver)`${IS} (?:not|no longer) ~allergic to (?<thing>[\p{L}][\p{L} -]{2,30}?)${END}`,
  of(allergyOver)`
    (?:has |have )?~(?:outgrown|outgrew|grown out of|lost|got over) (?:(?:his|her|its|their|the|an?) )?
    (?<thing>[\p{L}][\p{L} -]{2,30}?)[- ]allergy\b
  `,
  of((being, date) => attribute(being, 'birthday', date, `has a birthday on ${date}`))`
    's (?:birthday|bday) (?:is|falls) ~(?:on )?(?:the )?(?<date>\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}
    |${MONTH} \d{1,2}(?:st|nd|rd|th)?)
  `,
  of((being, place) => asCorrections(livesIn(being, place)))`
    (?:has |have )?~(?:moved|relocated|emigrated) (?:(?:back|over|out|down|up|away|from .{2,30}?) )?to (?<place>.+)
  `,
  of(livesIn)`
    ~(?:lives?|living|resides|${IS} (?:now )?(?:based|living)|has (?:been living|lived)
    |settled) (?:alone |together |now |currently |all the way |over |out |down |up ){0,4}(?:in|near
    |outside) (?<place>.+)
  `,
  of(works)`
    ~(?:works?|is working|has been working|retrained|got a job|is employed|has started|started(?: working)?
    |has just started(?: working)?) (?:now )?(?:part[- ]time |full[- ]time )?as (?:an? )?(?<job>.+)
  `,
  of((being, rest) => breed(being, rest) ?? works(being, rest))`
    (?:${IS}|has become|became|has been) ~(?:an? |the )(?<rest>.+)
  `,
  of((being, role) => {
    const relation = withoutTail(role).toLowerCase();
    return being.kind === 'PERSON' && RELATION_ONLY.test(relation)
      ? attribute(being, 'relation', relation, `is the user's ${relation}`)
      : null;
  })`
    (?:${IS}|has become|became) (?:now |officially ){0,4}(?:my|our) (?<role>[\p{L}-]+(?: [\p{L}-]+)?)(?: now)?${END}
  `,
  of((being, role) => {
    const former = attribute(being, 'relation', role, `is the user's ${role}`);
    return RELATION_ONLY.test(role) ? ended([former], ' is ', ' is no longer ') : [];
  })`(?:${IS} no longer|is not) (?:my|our) (?<role>[\p{L}-]+)(?: anymore)?`,
];
