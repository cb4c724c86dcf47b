import { source } from '../../../../language/text/pattern.ts';
import { type Draft, draft, properGroups, type Rule } from '../text/draft.ts';
import { personNameOf } from '../text/person-names.ts';
import { type Being, meet, type Scene } from '../text/scene.ts';
import { ANIMAL, isBreed, RELATION } from '../text/words.ts';
import { aged, being, introduction } from './being-facts.ts';

const AGE_BEFORE = '(?:(?<age>\\d{1,3}|[a-z]+)[- ]years?[- ]old )?';
const GETS = source`
  (?:have|own|adopted|got|have adopted|am the owner of|look after|have recently adopted|bought|just got
  |just adopted|share my (?:flat|house|home) with|am having|am owning|live with|rescued)
`;
const RELATION_OR_ANIMAL = new RegExp(
  `^(?:(?<relation>${RELATION})|(?<species>${ANIMAL}))(?=[\\s,.;!?]|$)`,
  'iu',
);
/** The name after an announcement such as "called": it may be any word. */
const announced = (text: string): string | null =>
  personNameOf(text) ?? /^[\p{L}'-]{2,15}(?=[\s,.;!?)]|$)/u.exec(text)?.[0] ?? null;

const withName = (kind: Being['kind'], scene: Scene, role: string, rest: string): Draft[] => {
  const name = announced(rest);
  if (name === null) return [];
  const found = being(kind, role.toLowerCase(), name);
  meet(scene, found);
  return [introduction(found)];
};

/** "a golden retriever called Waffles": the breed shows that it is a pet. */
export function breedNamed(breed: string, rest: string, scene: Scene): Draft[] {
  const name = announced(rest);
  if (name === null || !isBreed(breed)) return [];
  const found = being('PET', breed.toLowerCase(), name);
  meet(scene, found);
  return [
    draft('RELATIONSHIP', {
      key: `profile:pet:${found.who}:breed`,
      value: breed,
      statement: `${name} is the user's ${breed}.`,
    }),
  ];
}

/** The reverse of relations: "Lena's dad" has a child called Lena. */
const OTHER_SIDE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    child: 'dad father mum mom mother',
    spouse: 'wife husband',
    sibling: 'sister brother',
    grandchild: 'grandmother grandfather grandma grandpa',
    partner: 'girlfriend boyfriend',
    relative: 'aunt uncle',
  }).flatMap(([other, own]) => own.split(' ').map((role) => [role, other] as const)),
);

/** Sentences that introduce somebody. */
export const INTRODUCTIONS: readonly Rule[] = [
  intro(
    source`
      (?:I|we) ~${GETS} (?:an?|this|the|one|our|my|another) ${AGE_BEFORE}(?<species>${ANIMAL})(?:,| who is
      | and (?:his|her|its) name is)? (?:called|named|by the name of|whose name is|we call|I call|we named
      |I named)?:? ?(?<rest>\p{L}.*)
    `,
    ({ species = '', rest = '' }, clause, scene) =>
      /\b(?:called|named|name|call)\b/i.test(
        clause.text.slice(0, clause.text.length - rest.length),
      ) ||
      (/^\p{Lu}/u.test(rest) && /, $/.test(clause.text.slice(0, clause.text.length - rest.length)))
        ? withName('PET', scene, species, rest)
        : [],
  ),
  intro(
    source`
      (?:I|we) ~${GETS} (?:an?|one|our|another) (?<breed>[\p{L}-]+(?: [\p{L}-]+){0,2}) (?:called|named
      |by the name of|whose name is) (?<rest>\p{L}.*)
    `,
    ({ breed = '', rest = '' }, _clause, scene) => breedNamed(breed, rest, scene),
  ),
  intro(
    source`
      (?:I|we) ~have (?:an?|one|another) ${AGE_BEFORE}(?<relation>${RELATION})(?:,| who is)? (?:called|named
      |by the name of|whose name is)?:? ?(?<rest>\p{L}.*)
    `,
    ({ relation = '', rest = '', age }, clause, scene) => {
      const before = clause.text.slice(0, clause.text.length - rest.length);
      if (
        !/\b(?:called|named|name)\b/i.test(before) &&
        !(/, $/.test(before) && /^\p{Lu}/u.test(rest))
      )
        return [];
      const drafts = withName('PERSON', scene, relation, rest);
      return age && scene.last ? [...drafts, aged(scene.last, age)] : drafts;
    },
  ),
  intro(
    source`
      (?<name>\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)?),? (?:is|was|has become|became|is now|'s)(?: now
      | actually| also){0,4} (?:my|our) (?<role>[^,.;!?]+)
    `,
    ({ name = '', role = '' }, clause, scene) => {
      const groups = RELATION_OR_ANIMAL.exec(role)?.groups;
      const known = groups && personNameOf(name);
      if (!groups || !known || /^(?:This|That|It|He|She|Here|There|What|Who)$/.test(name))
        return [];
      const found = being(
        groups.relation ? 'PERSON' : 'PET',
        (groups.relation ?? groups.species ?? '').toLowerCase(),
        known,
      );
      meet(scene, found);
      return [introduction(found, clause.isCorrection)];
    },
  ),
  intro(
    '(?:I|we) (?:am|are|got|have been) ~(?:married|engaged) to (?<rest>\\p{Lu}.*)',
    ({ rest = '' }, clause, scene) => {
      const name = personNameOf(rest);
      if (name === null) return [];
      const found = being(
        'PERSON',
        /engaged/.test(clause.text.slice(0, 25)) ? 'fiancé' : 'spouse',
        name,
      );
      meet(scene, found);
      return [
        {
          ...introduction(found, clause.isCorrection),
          statement: `The user is ${found.role === 'spouse' ? 'married' : 'engaged'} to ${name}.`,
        },
      ];
    },
  ),
  intro(
    source`
      I am ~(?<name>\p{Lu}[\p{L}\p{M}-]*)'s (?<own>dad|father|mum|mom|mother|wife|husband|sister|brother
      |grandmother|grandfather|grandma|grandpa|girlfriend|boyfriend|aunt|uncle)(?=[,.;!?)]|$| and )
    `,
    ({ name = '', own = '' }, _clause, scene) =>
      withName('PERSON', scene, OTHER_SIDE.get(own.toLowerCase()) ?? '', name),
  ),
  intro(
    '(?:I am|I have been) (?:dating|seeing|going out with) (?<rest>\\p{Lu}.*)',
    ({ rest = '' }, clause, scene) => {
      const name = personNameOf(rest);
      return name === null
        ? []
        : withName('PERSON', scene, 'partner', name).map((fact) => ({
            ...fact,
            isCorrection: clause.isCorrection,
          }));
    },
  ),
];

function intro(source: string, read: Rule['read']): Rule {
  const adverbs = '(?:(?:also|just|now|still|recently|both|really) ){0,4}';
  return {
    pattern: new RegExp(`^(?:${source.replaceAll('~', adverbs)})`, 'iu'),
    read,
    proper: properGroups(source),
  };
}
