import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { MONTH_NAMES } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { capitalised } from '../../text/clean-text.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, ended, rule, stated } from '../text/draft.ts';
import { mayBeName, personNameOf } from '../text/person-names.ts';
import type { Being, Scene } from '../text/scene.ts';
import { RELATION } from '../text/words.ts';
import { again, being, introduction, isNamed } from './being-facts.ts';
import { DEATHS, LOSSES, petDied } from './deaths.ts';

const PARTNER = pattern('i')`
  ^(?!ex\b|former|business|training)(?:[\p{L}-]+ )?(?:wife|husband|hubby|spouse|partner|girlfriend|boyfriend|gf|bf
  |fianc[ée]e?|other half|significant other)$
`;
/** No name: whoever is the user's only partner. */
const NOBODY = /^(?:him|her|them|yesterday|today|recently|finally|amicably)?$/i;
const NEXT = source`
  (?:and|so|but|because|after|in|on|last|yesterday|today|this|recently|for|over|when|\d+|two|three|an?|some)\b
`;
const WHEN = `(?=[,.;!?)]|$| ${NEXT})`;
const UP = '(?:broke|broken|split) up';

const RELATION_ONLY = new RegExp(`^(?:${RELATION})$`, 'i');
const isPartner = ({ kind, role }: Being) => kind === 'PERSON' && PARTNER.test(role);

/** Drafts that a partner is none any longer. */
function parted(being: Being): Draft[] {
  if (!isPartner(being)) return [];
  const own = introduction(being);
  const { label, role } = being;
  const says = isNamed(being) ? `${label} is no longer the user's` : 'The user no longer has a';
  return ended([own], own.statement, `${says} ${role}.`);
}

/** The one that is meant by a name or a role; none if it may be another. */
function meant(beings: readonly Being[], who: string): Being[] {
  const part = keyPart(who);
  const found = NOBODY.test(who)
    ? beings
    : beings.filter((being) => being.who === part || keyPart(being.role) === part);
  return found.length === 1 ? [...found] : [];
}

/** What one may also break up with, in jest. */
const NO_PARTNER = pattern('i')`
  ^(?:coffee|sugar|alcohol|chocolate|bread|cheese|meat|gym|tinder|netflix|insta\w*|life|sleep|band|group|team|class
  |everyone|everybody|nobody)$
`;
/** The end of a partnership, rather than of a school term or a gathering. */
const ENDED_UP = new RegExp(`\\b${UP}(?! (?:for|over|on|into|in (?!\\d|${MONTH_NAMES}))\\b)`, 'i');
/** A name in lower case must be known as one, unless it comes first: "ruan and I". */
const ONE_NAME = pattern('iu')`
  ^(?:(?:and|so|but|ok|well|hey|hi|oh|sadly|update),? ){0,2}(?:(?<first>[\p{L}'’-]{1,40}) and (?:I|me)
  |me and (?<other>[\p{L}'’-]{1,40}))\b|\b${UP} with (?<ex>[\p{L}'’-]{1,40})\b
`;

/** Drafts that somebody who is named is a former partner; none if they are known as somebody else. */
function stranger(who: string, sentence: string, { beings }: Scene): Draft[] {
  const { first, other, ex = '' } = ONE_NAME.exec(sentence)?.groups ?? {};
  const isOne = who === (first ?? other ?? ex) && (who !== ex || personNameOf(who) !== null);
  const part = keyPart(who);
  const isKnown = [...beings.values()].some((one) => [one.who, keyPart(one.role)].includes(part));
  const isNone = isKnown || NOBODY.test(who) || NO_PARTNER.test(who) || RELATION_ONLY.test(who);
  return isOne && !isNone && ENDED_UP.test(sentence) && mayBeName(who)
    ? parted(being('PERSON', 'partner', capitalised(who))).map((fact) => ({
        ...fact,
        statement: fact.statement.replace(/\.$/, ': they broke up.'),
      }))
    : [];
}

/** Drafts the end of a relation; after a divorce also of a marriage without a name. */
function separated(who: string, { text, sentence }: Clause, scene: Scene): Draft[] {
  const { beings, known } = scene;
  const over = known.flatMap(({ key, polarity }) => (polarity === 'NEGATIVE' ? key : []));
  const partners = [...beings.values()].filter(
    (being) => isPartner(being) && !over.includes(`person:${being.who}:relation`),
  );
  const [state] = /divorced|separated/i.exec(text) ?? [];
  const marriage = known.filter(
    ({ value, polarity }) => value === 'married' && polarity === 'POSITIVE',
  );
  const ex = meant(partners, who);
  const ends = [
    ...ex.flatMap(parted),
    ...(ex.length > 0 ? [] : stranger(who, sentence, scene)),
    ...(state === 'divorced' ? ended(marriage.map(again), ' is ', ' is no longer ') : []),
  ];
  const is = ends.length > 0 && state;
  return is ? [...ends, stated('RELATIONSHIP', is, `is ${is}`, { importance: 0.7 })] : ends;
}

/** Who is named before the clause: "Kim and I broke up". */
const AND_I = /([\p{L}'’-]{1,40}) and (?:I|me)\b/u;
const LEFT_FOR = source`
  for (?:someone|somebody|another|(?:his|her|their|my|an?) (?:[\p{L}-]+ )?(?:ex|boss|secretary|friend|colleague|woman
  |co-?worker|man|guy|girl|lad|lass|neighbou?r|trainer|sister|brother|assistant|mate))\b
`;
/** When somebody left, rather than what they left: "left me last year", but not "left me in charge". */
const LEFT_WHEN = source`
  (?:last (?:week|month|year|night|spring|summer|autumn|winter)|yesterday|recently|because|so|but|and (?:I|we|it|now)
  |in (?:\d{4}|(?:${MONTH_NAMES}))|(?:\d+|an?|two|three|four|five|six|ten|a few|a couple of) (?:weeks|months?|years?) ago
  |after (?:\d+|an?|two|three|four|five|six|seven|ten|twenty) (?:months?|years?))\b
`;

/** Ends that are said of the being mentioned last: "he dumped me", "Rex died". */
export const ENDED = [
  rule((_deed, _match, { last }) => last && parted(last))`
    (?:has |just ){0,2}(?:(?<deed>${UP} with|dumped|divorced) me${WHEN}|(?:left|walked out on) me(?=[.,;!)]|$| ${LEFT_FOR}
    | ${LEFT_WHEN}))
  `,
  ...DEATHS,
];

/** Ends that the user tells: "I broke up with Kim", "we had to put Rex down". */
export const ENDINGS = [
  rule((who, clause, scene) => separated(who, clause, scene))`
    We (?:am|are) (?:no longer|not(?=[^,.;!?]* any(?:more| longer)\b)) ~(?:(?:together|in a relationship|going out) ?)?
    (?:with (?:(?:my|our) )?)?(?<who>[\p{L}'’-]*)(?: any(?:more| longer))?(?=[,.;!?)]|$| ${NEXT})
  `,
  rule((state, clause, scene) => {
    const ends = separated('', clause, scene);
    return ends.length > 0 ? [...ends, stated('RELATIONSHIP', state, `is ${state}`)] : null;
  })`I am ~(?<state>single) (?:again|now)\b`,
  rule((_who, clause, scene) =>
    separated(clause.groups.who ?? AND_I.exec(clause.sentence)?.[1] ?? '', clause, scene),
  )`
    We (?:have |am |are )?~(?:got |been |getting )?(?:${UP}|divorced|separated)(?: with| from)?
    (?: (?!${NEXT})(?:(?:my|our) )?(?<who>[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)?)?${WHEN}
  `,
  rule((who, clause, scene) => separated(clause.groups.other ?? who, clause, scene))`
    (?:me and (?:(?:my|our) )?(?<who>[\p{L}'’-]+)|(?<other>[\p{L}'’-]+) and me) (?:have |are |just |finally ){0,2}
    (?:${UP}|divorced|separated)${WHEN}
  `,
  ...LOSSES,
  rule((who, _match, { beings, known }) => {
    const pets = [...beings.values()].filter(({ kind }) => kind === 'PET');
    return meant(pets, who).flatMap((pet) => petDied(pet, known));
  })`
    We had to ~(?:put|have) (?:(?:my|our) )?(?<who>[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)? (?:put )?(?:down|to sleep)\b
  `,
];
