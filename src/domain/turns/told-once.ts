import { bareWords } from '../../language/text/bare-words.ts';

/** A sentence, who says it where that is told ("User: …"), and how it reads without signs and capitals. */
type Unit = { speaker: string; text: string; bare: string; part: number };

const SPEAKER = /^(\p{Lu}[\p{L}\p{N}'-]{0,40}): /u;
/** Less than this, "Yes." or "On Thursday.", may be said twice and mean two things. */
const TELLING_WORDS = 3;

const bareOf = (text: string): string => ` ${bareWords(text)} `;

/** The sentences of a text, each with who says it: whoever was named last. */
function unitsOf(text: string, part: number): Unit[] {
  let speaker = '';
  return text
    .trim()
    .split(/(?<=[.!?…])\s+/u)
    .filter(Boolean)
    .map((sentence) => {
      const named = SPEAKER.exec(sentence);
      speaker = named?.[1] ?? speaker;
      const said = sentence.slice(named?.[0].length ?? 0);
      return { speaker, text: said, bare: bareOf(said), part };
    });
}

/** Told by another: word for word in it, and if that is the same, before. */
function isTold(unit: Unit, at: number, units: readonly Unit[]): boolean {
  return units.some((other, place) => {
    if (place === at) return false;
    if (other.bare === unit.bare) return place < at;
    const words = unit.bare.trim().split(' ').length;
    return (words >= TELLING_WORDS || unit.part === other.part) && other.bare.includes(unit.bare);
  });
}

/**
 * Texts one after another, each with a full stop, without what is told twice: a sentence that is in another, or that came
 * before. Who says a sentence stays told.
 */
export function toldOnce(texts: readonly string[]): string {
  const units = texts.flatMap(unitsOf);
  const kept = units.filter((unit, at) => !isTold(unit, at, units));
  return kept
    .map(({ speaker, text }, at) => {
      const who = speaker !== '' && speaker !== kept[at - 1]?.speaker ? `${speaker}: ` : '';
      return `${who}${text.replace(/[\p{L}\p{N}]$/u, '$&.')}`;
    })
    .join(' ');
}

/** Whether every sentence of a text is in one of the others, word for word. */
export function isToldBy(text: string, others: readonly string[]): boolean {
  const bare = others.map(bareOf);
  const units = unitsOf(text, 0);
  return units.every((unit) => bare.some((other) => other.includes(unit.bare)));
}
