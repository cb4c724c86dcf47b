import { keyPart, relationPart } from '../../../../domain/facts/fact-key.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { type Draft, draft } from '../text/draft.ts';
import { placeOf } from '../text/places.ts';
import { type Being, meet, type Scene } from '../text/scene.ts';
import { ADJECTIVE, isBreed, RELATIVE } from '../text/words.ts';

/** Adjectives that say nothing of a relation. An "old" friend is one, but an "old" boss was one. */
const IDLE = pattern('i')`
  ^(?:(?:new|dear|lovely|beloved|poor|own|good|silly|crazy|stupid|sweet|darling|current|wonderful|amazing
  |old(?= (?:friend|mate|pal|${RELATIVE})$)) ){1,3}(?=\S)
`;

export function being(kind: Being['kind'], spoken: string, name: string | null): Being {
  const role = kind === 'PERSON' ? spoken.replace(IDLE, '') : spoken;
  const who = name === null ? relationPart(core(role)) : keyPart(name);
  return { kind, role, who, label: name ?? `The user's ${role}` };
}

const ADJECTIVES = new RegExp(`^(?:(?:${ADJECTIVE}) )+(?=\\S)`, 'i');

/** Removes adjectives before a relation: they are not part of a key. */
const core = (role: string): string => role.replace(ADJECTIVES, '');

/** The fact who somebody is: "Melanie is the user's sister". */
export function introduction({ kind, who, label, role }: Being): Draft {
  const isPet = kind === 'PET';
  const isOfBreed = isPet && isBreed(role);
  return draft('RELATIONSHIP', {
    key: isPet ? `profile:pet:${who}:${isOfBreed ? 'breed' : 'species'}` : `person:${who}:relation`,
    value: isPet ? core(role) : role,
    statement: `${label} is the user's ${role}.`,
    importance: 0.7,
  });
}

/** Drafts the fact who somebody is, and remembers them as the one mentioned last. */
export function introduced(scene: Scene, found: Being): Draft {
  meet(scene, found);
  return introduction(found);
}

export const attribute = ({ kind, who, label }: Being, name: string, value: string, says: string) =>
  draft('RELATIONSHIP', {
    key: `${kind === 'PET' ? 'profile:pet' : 'person'}:${who}:${name}`,
    value,
    statement: `${label} ${says}.`,
    importance: 0.5,
  });

export const aged = (who: Being, age: string): Draft =>
  attribute(who, 'age', age, `is ${age} years old`);

/** Drafts where a person lives, if the text begins with a place. */
export function livesIn(being: Being, place: string): Draft | null {
  const city = placeOf(place);
  return city === null || being.kind === 'PET'
    ? null
    : attribute(being, 'city', city, `lives in ${city}`);
}

/** "three-year-old" before a relation or species. */
export const AGE_BEFORE = '(?:(?<age>\\d{1,3}|[a-z]+)[- ]years?[- ]old )?';

/** Whether a being is called by a name, rather than "the user's sister". */
export const isNamed = ({ label }: Being) => !label.startsWith('The user');

/** A fact as it is known, to be ended. */
export const again = ({ category, key, value, statement }: Scene['known'][number]): Draft =>
  draft(category, { key, value, statement });
