import { pickOne } from '../../../support/random.ts';
import { type Attack, BEGINNINGS, CORRECTIONS, FOUND } from './known-attacks.ts';
import { ODD_NAMES } from './odd-names.ts';
import { ODD_SIGNS, SCRIPTS } from './scripts.ts';
import { ruleWords } from './vocabulary.ts';

/** The maximum length of a turn's text, in UTF-16 units. */
export const LONGEST = 100_000;
/** The lengths of texts. Short ones are as hostile as long ones, since the words make a rule slow. */
const LENGTHS = [200, 200, 280, 500, 2_000, 2_000, 10_000, 50_000, LONGEST];
const SEPARATORS = [' ', ' ', ' ', '  ', ', ', '... ', ' \t', '-', "'", '', '\n', '. '];
const ENDS = ['', '!', 'ª', '\n', '(', ' x', '?', '0'];

type Make = (random: () => number, length: number) => string;

const fromAttacks =
  (attacks: readonly Attack[]): Make =>
  (random, length) => {
    const [start, pump, end] = pickOne(random, attacks);
    return around(start, pump, end, length);
  };

/** Words of one rule, some of them repeated, with an end that the rule does not expect. */
const fromRule: Make = (random, length) => {
  const { words } = pickOne(random, ruleWords());
  const some = (most: number) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pickOne(random, words));
  const separator = pickOne(random, SEPARATORS);
  const start = random() < 0.5 ? `I ${some(3).join(' ')} ` : some(3).join(' ');
  const pump = some(3).join(separator) + (separator || ' ');
  return around(start, pump, pickOne(random, ENDS), length);
};

const fromWords =
  ({ words, between }: { words: readonly string[]; between: string }): Make =>
  (random, length) => {
    // Half of the texts repeat one word, so that the same entry is looked up each time.
    const own = random() < 0.5 ? [pickOne(random, words)] : words;
    const parts: string[] = [];
    for (let size = 0; size < length; size += (parts.at(-1) ?? '').length) {
      parts.push(pickOne(random, own) + between);
    }
    return parts.join('');
  };

const makers: Record<string, Make> = {
  'rule-words': fromRule,
  'found-by-checker': fromAttacks(FOUND),
  beginnings: fromAttacks(BEGINNINGS),
  corrections: fromAttacks(CORRECTIONS),
  ...Object.fromEntries(
    Object.entries({ ...SCRIPTS, ...ODD_SIGNS }).map(([name, own]) => [name, fromWords(own)]),
  ),
  'odd-names': fromWords({ words: ODD_NAMES, between: ' ' }),
};
makers.mixed = (random, length) => {
  const parts = Array.from({ length: 6 }, () => {
    const kinds = Object.keys(makers).filter((kind) => kind !== 'mixed');
    return (makers[pickOne(random, kinds)] as Make)(random, Math.ceil(length / 6));
  });
  return parts.join(pickOne(random, SEPARATORS));
};

/** The kinds of hostile texts. */
export const TEXT_KINDS: readonly string[] = Object.keys(makers);

/** A text of a kind with about this length, or a random one. It is never blank and has no lone surrogates. */
export function hostileText(random: () => number, kind: string, length?: number): string {
  const make = makers[kind];
  if (!make) throw new Error(`There are no hostile texts of the kind ${kind}.`);
  const wanted = length ?? pickOne(random, LENGTHS);
  const text = make(random, wanted).slice(0, wanted).toWellFormed().replaceAll('\uFFFD', '?');
  return text.trim() === '' ? `${text.slice(0, -1)}x` : text;
}

/** Repeats `pump` as often as fits between `start` and `end`; the end makes a rule fail. */
function around(start: string, pump: string, end: string, length: number): string {
  const times = Math.floor((length - start.length - end.length) / pump.length);
  return start + pump.repeat(Math.max(1, times)) + end;
}
