import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { type Draft, draft, ended, rule, stated } from '../text/draft.ts';
import type { Being, Scene } from '../text/scene.ts';
import { introduction } from './being-facts.ts';

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

const isPartner = ({ kind, role }: Being) => kind === 'PERSON' && PARTNER.test(role);

const isNamed = ({ label }: Being) => !label.startsWith('The user');

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

/** Drafts the end of a relation; after a divorce also of a marriage without a name. */
function separated(who: string, text: string, { beings, known }: Scene): Draft[] {
  const over = known.flatMap(({ key, polarity }) => (polarity === 'NEGATIVE' ? key : []));
  const partners = [...beings.values()].filter(
    (being) => isPartner(being) && !over.includes(`person:${being.who}:relation`),
  );
  const [state] = /divorced|separated/i.exec(text) ?? [];
  const marriage = known.filter(
    ({ value, polarity }) => value === 'married' && polarity === 'POSITIVE',
  );
  const ends = [
    ...meant(partners, who).flatMap(parted),
    ...(state === 'divorced' ? ended(marriage.map(again), ' is ', ' is no longer ') : []),
  ];
  const is = ends.length > 0 && state;
  return is ? [...ends, stated('RELATIONSHIP', is, `is ${is}`, { importance: 0.7 })] : ends;
}

const again = ({ category, key, value, statement }: Scene['known'][number]): Draft =>
  draft(category, { key, value, statement });

/** Drafts that an animal has died, and that what is known of it was so. */
function died(pet: Being, known: Scene['known']): Draft[] {
  if (pet.kind !== 'PET') return [];
  const own = introduction(pet);
  const who = isNamed(pet) ? `${pet.label}, the user's ${pet.role},` : pet.label;
  const others = known.filter(
    ({ key, polarity }) =>
      key?.startsWith(`profile:pet:${pet.who}:`) && key !== own.key && polarity === 'POSITIVE',
  );
  return [
    ...ended([own], own.statement, `${who} has died.`),
    ...ended(others.map(again), ' is ', ' was '),
  ];
}

/** Who is named before the clause: "Kim and I broke up". */
const AND_I = /([\p{L}'’-]{1,40}) and (?:I|me)\b/u;

/** Ends that are said of the being mentioned last: "he dumped me", "Rex died". */
export const ENDED = [
  rule((_deed, _match, { last }) => last && parted(last))`
    (?:has |just ){0,2}(?<deed>${UP} with|dumped|divorced) me${WHEN}
  `,
  rule((_deed, _match, { last, known }) => last && died(last, known))`
    (?:has |just ){0,2}(?<deed>died|passed away|crossed the rainbow bridge)\b(?! (?:for|down)\b)
    |(?:was|has been|had to be) ~(?:put (?:down|to sleep)|euthani[sz]ed)\b(?! (?:for|during)\b)|(?:is|'s) dead${WHEN}
  `,
];

/** Ends that the user tells: "I broke up with Kim", "we had to put Rex down". */
export const ENDINGS = [
  rule((_who, { text, sentence, groups }, scene) =>
    separated(groups.who ?? AND_I.exec(sentence)?.[1] ?? '', text, scene),
  )`
    We (?:have |am |are )?~(?:got |been |getting )?(?:${UP}|divorced|separated)(?: with| from)?
    (?: (?!${NEXT})(?:(?:my|our) )?(?<who>[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)?)?${WHEN}
  `,
  rule((who, _match, { beings, known }) => {
    const pets = [...beings.values()].filter(({ kind }) => kind === 'PET');
    return meant(pets, who).flatMap((pet) => died(pet, known));
  })`
    We had to ~(?:put|have) (?:(?:my|our) )?(?<who>[\p{L}'’-]+)(?: \p{Lu}[\p{L}'’-]+)? (?:put )?(?:down|to sleep)\b
  `,
];
