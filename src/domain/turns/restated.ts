import { bareWords } from '../../language/text/bare-words.ts';

/** A sentence, its speaker if one is named ("User: …"), and its words without punctuation and capitals. */
type Unit = { speaker: string; text: string; bare: string; part: number };

/** A speaker before a quoted sentence: "User: …", "Nils Berg: …". */
export const SPEAKER = /^(\p{Lu}[^:.!?]{0,60}): /u;
/** Shorter sentences, such as "Yes." or "On Thursday.", may occur twice with different meanings. */
const LEAST_WORDS = 3;

const bareOf = (text: string): string => ` ${bareWords(text)} `;

/** The sentences of a text, each with the speaker that was named last. */
function unitsOf(text: string, part: number): Unit[] {
  let speaker = '';
  return text
    .trim()
    .split(/(?<=[.!?…])\s+/u)
    .filter(Boolean)
    .map((sentence) => {
      const named = SPEAKER.exec(sentence);
      speaker = named?.[1] ?? speaker;
      const words = sentence.slice(named?.[0].length ?? 0);
      return { speaker, text: words, bare: bareOf(words), part };
    });
}

/** Whether another sentence contains this one word for word. */
function isContained(unit: Unit, others: readonly Unit[]): boolean {
  const isShort = unit.bare.trim().split(' ').length < LEAST_WORDS;
  return others.some(
    (other) =>
      other.bare.length > unit.bare.length &&
      (!isShort || unit.part === other.part) &&
      other.bare.includes(unit.bare),
  );
}

/**
 * Joins texts, each ending with a full stop, and leaves out repetitions: sentences that are contained in another one or
 * occurred before. Speakers stay named.
 */
export function joinWithoutRepeats(texts: readonly string[]): string {
  const units = texts.flatMap(unitsOf);
  const firsts = new Map(units.toReversed().map((unit) => [unit.bare, unit]));
  const kept = units.filter((unit) => firsts.get(unit.bare) === unit && !isContained(unit, units));
  return kept
    .map(({ speaker, text }, at) => {
      const who = speaker !== '' && speaker !== kept[at - 1]?.speaker ? `${speaker}: ` : '';
      return `${who}${text.replace(/[\p{L}\p{N}]$/u, '$&.')}`;
    })
    .join(' ');
}

/** Whether every sentence of a text is contained in one of the others, word for word. */
export function isRestatedBy(text: string, others: readonly string[]): boolean {
  const bare = others.map(bareOf);
  const units = unitsOf(text, 0);
  return units.every((unit) => bare.some((other) => other.includes(unit.bare)));
}
