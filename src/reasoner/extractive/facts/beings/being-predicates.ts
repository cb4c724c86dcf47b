import { keyPart, normalValue } from '../../../../domain/facts/fact-key.ts';
import { MONTHS } from '../../../../language/en/time/named-date.ts';
import { EXCLUSIVE_DIETS } from '../../../../language/en/words/diets.ts';
import { source } from '../../../../language/text/pattern.ts';
import { occupationOf } from '../rules/work.ts';
import { asCorrections, type Draft, END, ended, rule, unless } from '../text/draft.ts';
import { CONDITION, STATE, TRANSIENT } from '../text/health.ts';
import { clauseOf, withoutTail } from '../text/phrases.ts';
import type { Being, Scene } from '../text/scene.ts';
import { AGE_END, DIETS, FEW, isBreed, RELATION, TEENS, TENS } from '../text/words.ts';
import { aged, attribute, livesIn } from './being-facts.ts';
import { ENDED } from './endings.ts';

const NUMBER = source`(?<age>\d{1,3}|one|${FEW}|${TEENS}|${TENS})`;
const RELATION_ONLY = new RegExp(`^(?:(?:business|line) )?${RELATION}$`, 'i');
const MONTH = `(?:${MONTHS.map((name) => name.slice(0, 3)).join('|')})\\p{L}*`;
const IS = "(?:is|'s|are|was)";

/** A rule about the being mentioned last. */
const of = (
  draftOf: (being: Being, value: string, known: Scene['known']) => Draft | Draft[] | null,
) => rule((value, _match, { last, known }) => last && draftOf(last, value, known));

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

/** The end of what somebody is, unless something else is known: a key holds one thing. */
const over =
  (draftOf: (being: Being, value: string) => Draft) =>
  (being: Being, thing: string, known: Scene['known']): Draft[] =>
    ended([draftOf(being, thing)], ' is ', ' is not ').filter(({ key, value }) =>
      known.every((fact) => fact.key !== key || normalValue(fact.value) === normalValue(value)),
    );

/** Diets of which somebody follows one share a key. */
const onDiet = (being: Being, diet: string): Draft => {
  const part = keyPart(diet);
  return attribute(being, EXCLUSIVE_DIETS.has(part) ? 'diet' : `diet_${part}`, diet, `is ${diet}`);
};

const SOME = '(?:(?:an?|some|very|quite|really|severe|mild|chronic|terrible) ){0,3}';
const LESS = new RegExp(`^${SOME}| in .+`, 'g');

/** Somebody may have several conditions: each has its own key. */
const condition = (being: Being, what: string, verb: string): Draft => {
  const value = what.toLowerCase().replace(LESS, '');
  return attribute(being, `condition_${keyPart(value)}`, value, `${verb} ${what}`);
};

/** What follows a state; not a noun, as in "Theo's vegan lasagne". */
const STATE_END = source`
  (?=[,.;:!?)]|$| (?:and|or|but|so|because|since|who|too|now|anymore|btw|these days|as well)\b)
`;
/** What may also follow a condition: not a noun, as in "has diabetes medication". */
const SINCE = source`
  (?:last|this|yesterday|recently|today|when|at|as|for|from|with|which|that|after|a (?:few|couple|year|month|week)|two
  |three|\d+|in (?:\d|the|her|his|early|late|\p{Lu}))\b
`;
const DIET = source`(?<diet>(?!mediterranean|carnivore|jain)(?:${DIETS}))(?: now| anymore)?${STATE_END}`;

/** What anybody suffers from, or eats, after the name. */
export const HEALTH = unless(TRANSIENT, [
  of(allergic)`${IS} ~(?:[a-z]+ly )?allergic to (?<thing>[\p{L}][\p{L} -]{2,30}?)${END}`,
  of((being, what) => condition(being, what, 'has'))`
    ~(?:(?:has|suffers from|has developed|developed|lives with|struggles with|(?:has been|was|is|got|just got|has just been)
    (?: recently| just| finally)? diagnosed with|was born with) ~)(?<what>${SOME}${CONDITION})(?:${STATE_END}|(?= ${SINCE}))
  `,
  of((being, what) => condition(being, what, 'is'))`
    (?:${IS}|was born|has gone|went) ~(?:(?:partially|severely|slightly|legally|almost|profoundly|nearly|mildly|an?
    |type (?:1|2|one|two)) ){0,3}(?<what>(?!sober|pregnant|tone|mute|left|short)${STATE}(?: in (?:one|both) (?:ears?|eyes?))?)${STATE_END}
  `,
  of(
    onDiet,
  )`(?:${IS}|has (?:gone|turned|become|been)|went|became|turned) (?!not\b)~(?:an? |strictly |fully ){0,2}${DIET}`,
  of(
    over(onDiet),
  )`(?:${IS}|has) (?:not|no longer) (?!just |only )~(?:an? |strictly |fully ){0,2}${DIET}`,
  of((being, diet) => attribute(being, 'diet', diet, `is on a ${diet} diet`))`
    ${IS} ~on an? (?:(?:strict|special) )?(?<diet>${DIETS}|renal|kidney|low[- ]\p{L}+|high[- ]\p{L}+|grain[- ]free|raw(?: food)?
    |hypoallergenic|diabetic|weight[- ]loss|prescription|elimination) diet\b
  `,
]);

/** What a clause may say about somebody close to the user, after the name. */
export const PREDICATES = [
  ...ENDED,
  ...HEALTH,
  of(aged)`
    (?:${IS} |has )?~(?:turned |aged |now |only |just turned |is )?~(?:an? )?${NUMBER}${AGE_END}
  `,
  of(over(allergic))`${IS} (?:not|no longer) ~allergic to (?<thing>[\p{L}][\p{L} -]{2,30}?)${END}`,
  of(over(allergic))`
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
