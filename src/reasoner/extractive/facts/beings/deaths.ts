import { MONTH_NAMES, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, ended, rule, unless } from '../text/draft.ts';
import { personNameOf } from '../text/person-names.ts';
import { type Being, namedByRole, type Scene } from '../text/scene.ts';
import { CLOSE_ONE, FEW, RELATIVE, TEENS, TENS } from '../text/words.ts';
import { again, attribute, being, introduction, isNamed } from './being-facts.ts';

const NUMBER = source`(?:\d+|an?|${FEW}|${TEENS}|${TENS}|a (?:few|couple of)|several|some)`;
/** When somebody died. */
const TIME = source`
  (?:on (?:${WEEKDAY}|(?:the )?\d|(?:${MONTH_NAMES}) \d)|in (?:\d{4}|(?:early |late |mid[- ])?(?:${MONTH_NAMES}|spring
  |summer|autumn|winter|the (?:spring|summer|autumn|winter|night)))|last (?:night|week|month|year|spring|summer|autumn
  |fall|winter|christmas|${WEEKDAY}|${MONTH_NAMES})|this (?:week|month|year|morning|spring|summer|autumn|winter)
  |yesterday|${NUMBER} (?:years?|months?|weeks?|days?) (?:ago|back)|when (?:I|we) (?:was|were) (?:only |just |still )?
  (?:\d|(?:${FEW}|${TEENS}|${TENS})\b|an? (?:kid|child|teen|baby|student|girl|boy)|little|small|young|in (?:school
  |college|uni)))
`;
const CAUSE = source`
  (?:of|from|to|after an?) (?:[\p{L}'-]+ ){0,3}?(?:cancer|covid(?:-19)?|leuka?emia|lymphoma|dementia|alzheimer's
  |parkinson's|heart (?:attack|failure|disease)|stroke|overdose|suicide|illness|disease|pneumonia|sepsis|aids|flu|als
  |diabetes|tumou?r|an? accident|old age|natural causes|(?:battle|fight) with [\p{L} ]{3,30})
`;
/** What may follow "died": else it is a figure of speech ("died laughing"), or a game. */
const AFTER_DIED = source`
  (?=[,.;!)]|$| (?:${TIME}|${CAUSE}|today|recently|suddenly|unexpectedly|peacefully|young|and|so|but|because|at home
  |(?:at|aged) (?:the age of )?(?:\d|${FEW}|${TEENS}|${TENS})|in (?:hospital|a hospice|childbirth|the war|(?:his|her
  |their) sleep|an? (?:\p{L}+ )?(?:crash|accident|fire)))(?![\p{L}-]))
`;
const OFTEN =
  '(?:has |just |sadly |recently |suddenly |unexpectedly |peacefully |tragically ){0,4}';

/** Games, stories, dreams and jokes. */
const PLAY = pattern('i')`
  \b(?:games?|gaming|match|levels?|raid|rounds?|respawn\w*|revived?|dungeon|quest|minecraft|fortnite|campaign|server
  |character|avatar|films?|movies?|episode|series|season|scene|novel|script|nightmare|dream\w*|jok(?:e|ed|ing)|kidding
  |laugh\w*|laughter|came back|back to life)\b|😂|🤣|💀
`;
/** What is passed alive, too. */
const EXAM = pattern('i')`
  \b(?:tests?|exams?|driving|theory|course|quiz|interview|audit|bar|grades?|inspection|mot|class|module|probation
  |results?|with flying)\b
`;
/** Those of whom "she passed" means a death, rather than an exam. */
const ELDER = pattern('i')`
  (?:mother|father|mum|mom|mama?|dad(?:dy)?|papa|grand(?:ma|pa|dad)|gran(?:ny)?|nann?a?|uncle|aunt(?:ie|y)?)$
`;

const PAST: Readonly<Record<string, string>> = {
  is: 'was',
  lives: 'lived',
  works: 'worked',
  has: 'had',
};
const KEPT = /:(?:relation|death|name|birthday)$/;

/** What is known of a being, as it was; without what does not change with death, such as who they were. */
function past(front: string, except: string | null, known: Scene['known']): Draft[] {
  return known.flatMap((fact) => {
    const { key, polarity } = fact;
    const [present, verb = ''] = / (is|lives|works|has) /.exec(fact.statement) ?? [];
    const isPast = !present || !key?.startsWith(front) || key === except || KEPT.test(key);
    return isPast || polarity === 'NEGATIVE'
      ? []
      : ended([again(fact)], present, ` ${PAST[verb]} `);
  });
}

const called = (who: Being): string =>
  isNamed(who) ? `${who.label}, the user's ${who.role},` : who.label;

/** Drafts that an animal has died, and that what is known of it was so. */
export function petDied(pet: Being, known: Scene['known']): Draft[] {
  if (pet.kind !== 'PET') return [];
  const own = introduction(pet);
  const has = ended([own], own.statement, `${called(pet)} has died.`);
  return [...has, ...past(`profile:pet:${pet.who}:`, own.key, known)];
}

/** Drafts that a person has died, and that what is known of them was so. Who they were stays. */
function died(person: Being, { known }: Scene): Draft[] {
  if (person.kind !== 'PERSON') return [];
  const death = attribute(person, 'death', 'has died', 'has died');
  const statement = `${called(person)} has died.`;
  return [{ ...death, statement, importance: 0.9 }, ...past(`person:${person.who}:`, null, known)];
}

/** A pronoun may mean somebody else who was mentioned. */
const isTold = ({ own, isLaughing }: Clause): boolean =>
  !isLaughing && !/^(?:he|she|they|it|his|her|their)\b/i.test(own);

/** Deaths that are said of the being mentioned last: "my dad died last year". */
export const DEATHS = [
  ...unless(PLAY, [
    rule((deed, clause, scene) => {
      const { last } = scene;
      const isExam =
        /^passed$/i.test(deed) && (EXAM.test(clause.sentence) || !ELDER.test(last?.role ?? ''));
      return last && isTold(clause) && !isExam ? died(last, scene) : null;
    })`
      ${OFTEN}(?<deed>died|passed away|passed)${AFTER_DIED}|is dead(?=[,.;)]|$| (?:and|now)\b)
    `,
  ]),
  rule((_deed, _match, { last, known }) => last && petDied(last, known))`
    (?:has |just ){0,2}(?<deed>died|passed away|crossed the rainbow bridge)\b(?! (?:for|down)\b)
    |(?:was|has been|had to be) ~(?:put (?:down|to sleep)|euthani[sz]ed)\b(?! (?:for|during)\b)|(?:is|'s) dead
    (?=[,.;!?)]|$| (?:and|so|but|because|now|after|since)\b)
  `,
];

const LOST_TO = new RegExp(`^ ${CAUSE}`, 'iu');
const LOST_AT = new RegExp(`^ ${TIME}(?=[,.;!)]|$| (?:and|so|but|to|because|after|from)\\b)`, 'i');
const KIN_ONLY = new RegExp(`^${RELATIVE}$`, 'i');
/** Those who may be lost otherwise than by death. */
const LEFT =
  /(?:girlfriend|boyfriend|gf|bf|fianc[ée]e?|half|other|\bex|wife|husband|spouse|hubby)\b/i;

/** Deaths that the user tells: "we lost my uncle to cancer". */
export const LOSSES = unless(PLAY, [
  rule((role, { isLaughing, groups: { rest = '' } }, scene) => {
    const name = /^ \p{Lu}/u.test(rest) ? personNameOf(rest) : null;
    const after = name === null ? rest : rest.slice(name.length + 1);
    const isKin = KIN_ONLY.test(role) && !LEFT.test(role);
    if (isLaughing || !(LOST_TO.test(after) || (isKin && LOST_AT.test(after)))) return null;
    const known = name === null ? namedByRole(scene, role) : null;
    return died(known ?? being('PERSON', role.toLowerCase(), name), scene);
  })`We (?:have )?~lost (?:my|our) (?<role>${CLOSE_ONE})(?<rest> .+)`,
]);
