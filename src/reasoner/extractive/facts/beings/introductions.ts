import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { source } from '../../../../language/text/pattern.ts';
import { type Draft, END, rule } from '../text/draft.ts';
import { personNameOf } from '../text/person-names.ts';
import type { Being, Scene } from '../text/scene.ts';
import { ANIMAL, isBreed, RELATION } from '../text/words.ts';
import { AGE_BEFORE, aged, being, introduced } from './being-facts.ts';
import { ENDINGS } from './endings.ts';

const GETS = source`
  (?:have|own|adopted|got|have adopted|am the owner of|look after|have recently adopted|bought|just got|just adopted
  |share my (?:flat|house|home) with|am having|am owning|live with|rescued)
`;
const RELATION_OR_ANIMAL = new IgnoringCase(
  `^(?:(?<relation>${RELATION})|(?<species>${ANIMAL}))(?=[\\s,.;!?]|$)`,
);
/** Introduces a being by the name after an announcement such as "called": it may be any word. */
const withName = (kind: Being['kind'], scene: Scene, role: string, rest: string): Draft[] => {
  const name = personNameOf(rest) ?? /^[\p{L}'-]{2,15}(?=[\s,.;!?)]|$)/u.exec(rest)?.[0];
  return name ? [introduced(scene, being(kind, role, name))] : [];
};

/** "a golden retriever called Waffles": the breed shows that it is a pet. */
export const breedNamed = (breed: string, rest: string, scene: Scene): Draft[] =>
  isBreed(breed) ? withName('PET', scene, breed, rest) : [];

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

export const INTRODUCTIONS = [
  ...ENDINGS,
  rule((_first, { text, groups: { species, relation = '', rest = '', age } }, scene) => {
    const before = text.slice(0, text.length - rest.length);
    const isName = /\b(?:called|named?|call)\b/i.test(before);
    if (!isName && !(before.endsWith(', ') && /^\p{Lu}/u.test(rest))) return null;
    const role = (species ?? relation).toLowerCase();
    const drafts = withName(species ? 'PET' : 'PERSON', scene, role, rest);
    return age && scene.last ? [...drafts, aged(scene.last, age)] : drafts;
  })`
    We ~${GETS} (?:an?|this|the|one|our|my|another) ${AGE_BEFORE}(?:(?<species>${ANIMAL})|(?<relation>${RELATION}))
    (?:,| who is| and (?:his|her|its) name is)? (?:called|named|by the name of|whose name is|we call|I call|we named
    |I named)?:? ?(?<rest>\p{L}.*)
  `,
  rule((breed, { groups: { rest = '' } }, scene) => breedNamed(breed, rest, scene))`
    We ~${GETS} (?:an?|one|our|another) (?<breed>[\p{L}-]+(?: [\p{L}-]+){0,2}) (?:called|named|by the name of
    |whose name is) (?<rest>\p{L}.*)
  `,
  rule((name, { groups: { role = '' } }, scene) => {
    const { relation, species = '' } = RELATION_OR_ANIMAL.exec(role)?.groups ?? {};
    const own = (relation ?? species).toLowerCase();
    const isNone = /^(?:This|That|It|He|She|Here|There|What|Who)$/.test(name);
    if (own === '' || isNone || personNameOf(name) === null) return null;
    return withName(relation ? 'PERSON' : 'PET', scene, own, name);
  })`
    (?<name>\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*)?),? (?:is|was|has become|became|is now|'s)(?: now
    | actually| also){0,4} (?:my|our) (?<role>[^,.;!?]+)
  `,
  rule((rest, { text }, scene) => {
    const name = personNameOf(rest);
    const isEngaged = /engaged/.test(text.slice(0, 25));
    return withName('PERSON', scene, isEngaged ? 'fiancé' : 'spouse', name ?? '').map((fact) => ({
      ...fact,
      statement: `The user is ${isEngaged ? 'engaged' : 'married'} to ${name}.`,
    }));
  })`We (?:am|are|got|have been) ~(?:married|engaged) to (?<rest>\p{Lu}.*)`,
  rule((name, { groups: { own = '' } }, scene) =>
    withName('PERSON', scene, OTHER_SIDE.get(own.toLowerCase()) ?? '', name),
  )`I am ~(?<name>\p{Lu}[\p{L}\p{M}-]*)'s (?<own>${[...OTHER_SIDE.keys()].join('|')})${END}`,
  rule((rest, _match, scene) => withName('PERSON', scene, 'partner', personNameOf(rest) ?? ''))`
    (?:I am|I have been) (?:dating|seeing|going out with) (?<rest>\p{Lu}.*)
  `,
];
