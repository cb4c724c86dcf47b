import { clip, headOf, storable, tailOf } from './clip.ts';
import { shareOf } from './share.ts';

/** The beginning and the end of a long turn that are read, in characters. */
const TURN = { head: 4_000, tail: 1_000 } as const;
/** The limit for all turns of a step, in characters. The longest are cut first. */
const TALK = 400_000;
const LEAST = 100;
const LONGEST_WORD = 80;
const LONGEST_ADDRESS = 400;
const SHORT_WORD = 60;
const NAME = 80;

const CODE = /```[\s\S]*?(?:```|$)/g;
/** Words of scripts with spaces. In the other scripts a run of letters is a whole sentence. */
const SPACED =
  /[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

function shortWord(word: string): string {
  if (word.length <= LONGEST_WORD) return word;
  if (word.length <= LONGEST_ADDRESS && /:\/\/|www\.|@/i.test(word)) return word;
  return clip(word, SHORT_WORD);
}

/**
 * Prepares a text so that the rules can read it in bounded time: without control characters and endless words or spaces.
 * Of a long text it keeps the beginning and the end, without code.
 */
export function capText(text: string, most: number = TURN.head + TURN.tail): string {
  const words = storable(text)
    .replace(/\S{81,}/g, (run) => run.replace(SPACED, shortWord))
    .replace(/\s{10,}/g, (run) => (run.includes('\n') ? '\n' : ' '));
  if (words.length <= most) return words;
  const prose = words.replace(CODE, '\n').trim();
  const rest = prose === '' ? words : prose;
  if (rest.length <= most) return rest;
  const tail = Math.floor((most * TURN.tail) / (TURN.head + TURN.tail));
  return `${headOf(rest, most - tail - 1)}\n${tailOf(rest, tail)}`;
}

type Text = { text: string };
const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

/** The maximum length of texts that are not turns, by the name of the field. */
const FIELDS: Record<string, number> = { speaker: NAME, name: NAME };

function capList(list: readonly unknown[]): unknown[] {
  const items = list.map((item) => capInput(item));
  if (!items.every(isText)) return items;
  const share = shareOf(
    TALK,
    items.map(({ text }) => text.length),
  );
  return items.map((item) =>
    item.text.length > share ? { ...item, text: capText(item.text, Math.max(share, LEAST)) } : item,
  );
}

/**
 * Cuts every text in a step's input so that it can be read in bounded time. Stored facts stay as they are, since the reply
 * refers to them by key.
 */
export function capInput<T>(input: T, field = ''): T {
  if (typeof input === 'string') {
    const most = FIELDS[field];
    return (most === undefined ? capText(input) : clip(capText(input, most), most)) as T;
  }
  if (Array.isArray(input)) return (field === 'known' ? input : capList(input)) as T;
  if (typeof input !== 'object' || input === null || input instanceof Date) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, capInput(value, name)]),
  ) as T;
}
