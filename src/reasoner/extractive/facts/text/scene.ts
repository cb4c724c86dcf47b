import type { StoredFact } from '../../../../domain/facts/fact.ts';
import { keyPart, personKeyOf } from '../../../../domain/facts/fact-key.ts';

/** A person or an animal close to the user. */
export type Being = {
  kind: 'PERSON' | 'PET';
  /** Its part of a fact's key: the name, or the relation or species if no name is known. */
  who: string;
  /** Its name in a statement: "Luna", "The user's sister". */
  label: string;
  /** The relation or species: "sister", "cat". */
  role: string;
};

/** The context of the sentence that is read. */
export type Scene = {
  speaker: string | null;
  occurredAt: Date;
  /** What the assistant said last. */
  asked: string | null;
  known: readonly StoredFact[];
  beings: Map<string, Being>;
  /** The being mentioned last, to which "he", "she" or "it" may refer. */
  last: Being | null;
  /** How many of the user's turns have been read. */
  turn: number;
  /** The facts with a key from the turns read so far, the newest last; `turn`: in which turn of the user. */
  said: (Pick<StoredFact, 'key' | 'value'> & { turn: number })[];
};

const PET_KEY = /^profile:pet:([^:]+):(species|breed)$/;

/** Writes each word of a text with a capital. */
export const titled = (part: string): string =>
  part.replaceAll('_', ' ').replace(/(?:^|\s|-)\p{L}/gu, (letter) => letter.toUpperCase());

/** The being that a fact introduces: "Melanie is the user's sister". */
export function beingOfFact(fact: Pick<StoredFact, 'key' | 'value' | 'statement'>): Being | null {
  const person = personKeyOf(fact.key);
  if (person?.attribute === 'relation') {
    const label = nameIn(fact.statement, person.who);
    return { kind: 'PERSON', who: person.who, label, role: fact.value };
  }
  const [, pet] = PET_KEY.exec(fact.key ?? '') ?? [];
  if (!pet) return null;
  return { kind: 'PET', who: pet, label: nameIn(fact.statement, pet), role: fact.value };
}

/** The name with this part of a key as written in the statement, else one made from the key. */
function nameIn(statement: string, part: string): string {
  for (const [word] of statement.matchAll(/[\p{L}\p{M}'’-]+(?: [\p{Lu}][\p{L}\p{M}'’-]*){0,4}/gu)) {
    if (keyPart(word) === part) return word;
  }
  return titled(part);
}

/** The scene before the first turn, with the beings of the stored facts. */
export function openScene(known: readonly StoredFact[]): Scene {
  const scene: Scene = {
    speaker: null,
    occurredAt: new Date(0),
    asked: null,
    known,
    beings: new Map(),
    last: null,
    turn: 0,
    said: [],
  };
  // The species comes last: "my dog" is more likely to be said than "my beagle".
  const isSpecies = ({ key }: StoredFact) => Number(/:species$/.test(key ?? ''));
  for (const fact of known.toSorted((one, other) => isSpecies(one) - isSpecies(other)))
    meet(scene, beingOfFact(fact));
  scene.last = null;
  return scene;
}

export function meet(scene: Scene, being: Being | null): void {
  if (!being) return;
  const before = scene.beings.get(being.who);
  if (!before || before.kind === being.kind) scene.beings.set(being.who, being);
  scene.last = being;
}

const coreOf = (role: string): string => keyPart(role).split('_').at(-1) ?? '';

/** The being with a role ("sister"); null if there is none, or more than one. */
export function namedByRole(scene: Scene, role: string): Being | null {
  const exact = [...scene.beings.values()].filter((being) => keyPart(being.role) === keyPart(role));
  const loose = [...scene.beings.values()].filter((being) => coreOf(being.role) === coreOf(role));
  const found = exact.length > 0 ? exact : loose;
  return found.length === 1 ? (found[0] ?? null) : null;
}
