import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Creates a generator of random numbers that are the same in every run. */
function createDice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Dice = ReturnType<typeof createDice>;

/** The letters that are tried as members of a character class. */
const LETTERS = [...'aAzé0 .,!?\'"’-_:;/\\()[]<>@#*`=&+\t\n–—…語ก\u0301😀'];
const MOST_REPEATS = 3;

/** A hostile text: a beginning, a part that is repeated, and an end that does not match. */
export type Attack = { start: string; pump: string; end: string };

/** Returns an attack as a text of about the given length. */
export const textOf = ({ start, pump, end }: Attack, length: number): string =>
  start + pump.repeat(Math.max(1, Math.floor((length - start.length) / pump.length))) + end;

/**
 * Creates hostile texts for an expression from texts that it matches: the beginning of a match, followed by many copies of
 * what one of its repetitions matches, or of another part of the match.
 */
export function attacksOn(source: string, flags: string, count: number): Attack[] {
  const tree = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const roll = createDice(source.length + count);
  const write = createWriter(flags, roll);
  const repeated = quantifiers(tree);
  return Array.from({ length: count }, (): Attack => {
    const match = write(tree);
    const start = match.slice(0, roll(match.length + 1));
    const element = repeated[roll(repeated.length)]?.element;
    const repeatedPart = element && roll(4) > 0 ? write(element) : match.slice(start.length);
    const other =
      repeated.length > 1 && roll(3) === 0 ? write(repeated[roll(repeated.length)] ?? tree) : '';
    const pump = repeatedPart + other || LETTERS[roll(LETTERS.length)] || ' ';
    return {
      start: roll(3) === 0 ? '' : start,
      pump,
      end: ['\u0000', '\n\u0000', '', '!'][roll(4)] ?? '',
    };
  });
}

function quantifiers(node: AST.Node): AST.Quantifier[] {
  switch (node.type) {
    case 'Quantifier':
      return node.max > 1 ? [node, ...quantifiers(node.element)] : quantifiers(node.element);
    case 'Alternative':
      return node.elements.flatMap(quantifiers);
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.flatMap(quantifiers);
    case 'Assertion':
      return 'alternatives' in node ? node.alternatives.flatMap(quantifiers) : [];
    default:
      return [];
  }
}

/** Creates a function that writes texts which a part of an expression matches. It mostly ignores assertions. */
function createWriter(flags: string, roll: Dice) {
  const lettersByClass = new Map<string, string[]>();
  const lettersOf = (raw: string): string[] => {
    const found = lettersByClass.get(raw) ?? LETTERS.filter((letter) => isOne(raw, flags, letter));
    lettersByClass.set(raw, found);
    return found;
  };
  const write = (node: AST.Node): string => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup': {
        const one = node.alternatives[roll(node.alternatives.length)];
        return one ? write(one) : '';
      }
      case 'Alternative':
        return node.elements.map(write).join('');
      case 'Quantifier': {
        const times = Math.min(node.max, node.min + roll(MOST_REPEATS));
        return Array.from({ length: times }, () => write(node.element)).join('');
      }
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass': {
        const letters = lettersOf(node.raw);
        return letters[roll(letters.length)] ?? '';
      }
      case 'Assertion':
        return node.kind === 'lookahead' && !node.negate && roll(2) === 0
          ? write(node.alternatives[roll(node.alternatives.length)] ?? node)
          : '';
      default:
        return '';
    }
  };
  return write;
}

const isOne = (raw: string, flags: string, letter: string): boolean =>
  new RegExp(`^${raw}$`, flags.replace(/[gy]/g, '')).test(letter);
