import { keyPart, relationPart } from '../../../../domain/facts/fact-key.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { type Draft, draft } from '../text/draft.ts';
import type { Being } from '../text/scene.ts';
import { isBreed } from '../text/words.ts';

/** Creates a being, with a name or without. */
export function being(kind: Being['kind'], role: string, name: string | null): Being {
  const who = name === null ? relationPart(core(role)) : keyPart(name);
  return { kind, role, who, label: name ?? `The user's ${role}` };
}

const RELATION_ADJECTIVES = pattern('i')`
  ^(?:(?:older|younger|little|big|baby|twin|elder|eldest|oldest|youngest|new|old|dear|late|lovely|teenage|current
  |former|beloved|elderly|poor|tiny|own|good|close|rescue|pet|black|white|ginger|grey|gray|brown|fat|silly|crazy
  |stupid|young|family|house|senior) )+(?=\S)
`;

/** Removes adjectives before a relation: they are not part of a key. */
const core = (role: string): string => role.replace(RELATION_ADJECTIVES, '');

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

/** The fact how old somebody is. */
export const aged = (who: Being, age: string): Draft =>
  draft('RELATIONSHIP', {
    key: `${who.kind === 'PET' ? 'profile:pet' : 'person'}:${who.who}:age`,
    value: age,
    statement: `${who.label} is ${age} years old.`,
    importance: 0.5,
  });
