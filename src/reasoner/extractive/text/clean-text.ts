const CODE_FENCE = /```[\s\S]*?(?:```|$)/g;
const LINK = /\[([^[\]\n]{1,300})\]\((?:https?:)?[^)\s]{1,400}\)/g;
const BRACKETED = /\[[^[\]\n]{0,600}\]/g;
const URL = /\b(?:https?:\/\/|www\.)\S+/gi;
const TAG = /<\/?[a-z][^<>\n]{0,200}>/gi;
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}|\u{200D}/gu;
const EMOTICON = /(?<=^|\s)[:;=]['-]?[)(DPpOo3/\\|](?=\s|$|[.!?])/g;
const LINE_MARK = /^\s{0,20}(?:#{1,6}\s+|>\s+|[-*•+]\s+|\d{1,2}[.)]\s+)/gm;
const EMPHASIS = /(\*\*|__|~~|`)(?=\S)(.{1,300}?)(?<=\S)\1/g;
const SPACE_BEFORE_MARK = /(?<!\s)\s+([,.;:!?]+)(?=\s|$)/g;
/** Repeated or spaced marks: "? !", "!!". */
const MARK_RUN = /([!?])[!?\s]*[!?]/g;

/**
 * The plain words of a turn: without code blocks, addresses, image captions in brackets, markup and
 * emoji. Line breaks stay, since they separate sentences.
 */
export function plainText(text: string): string {
  return text
    .replace(CODE_FENCE, '\n')
    .replace(LINK, '$1')
    .replace(URL, '')
    .replace(BRACKETED, '')
    .replace(TAG, '')
    .replace(LINE_MARK, '')
    .replace(EMPHASIS, '$2')
    .replace(EMOJI, '')
    .replace(EMOTICON, '')
    .replaceAll('’', "'")
    .replace(/(?<=\p{L}) (?=(?:n't|'(?:s|m|re|ve|ll|d))\b)/giu, '')
    .replace(/(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/[“”]/g, '"')
    .replace(/[ \t]+/g, ' ')
    .replace(SPACE_BEFORE_MARK, '$1')
    .replace(MARK_RUN, '$1')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** Capitalises the first letter. */
export const capitalised = (text: string): string =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Adds a full stop to a text that does not end like a sentence, to separate it from what follows. */
export const withStop = (text: string): string =>
  /[.!?…。！？]["')]?$/.test(text) ? text : `${text}.`;

/** Whether a text has enough English function words for the rules about English. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/[a-z]/gi)?.length ?? 0;
  if (letters === 0 || latin < 0.9 * letters) return false;
  const { words, known, foreign } = functionWords(text);
  return foreign <= known && (words < 5 || known >= 0.12 * words);
}

/** Whether a text has more function words of other languages than of English. */
export function isForeign(text: string): boolean {
  const { known, foreign } = functionWords(text);
  return foreign > known;
}

function functionWords(text: string): { words: number; known: number; foreign: number } {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const known = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  const foreign = words.filter((word) => FOREIGN_WORDS.has(word)).length;
  return { words: words.length, known, foreign };
}

const FUNCTION_WORDS = new Set(
  (
    "the a an i i'm you he she it it's we they my your his her its our their and or but of to in on at for with from is am are was " +
    "were be been do does did have has had will would can could should not no don't this that there what's what when where how " +
    'who why please me him us them about as by if so up out'
  ).split(' '),
);

const FOREIGN_WORDS = new Set(
  (
    'der die das und ich nicht ist ein eine mit wir sie auf zu den dem von für war el la los las que de y en un una es por con para ' +
    'se mi le les des et je est une du pas pour dans sur qui avec nous vous il di che per non sono della ho mio het een van niet ik ' +
    'dat wij zijn met voor os um uma não eu com na no do da em och att det som inte jag är på'
  )
    .split(' ')
    .filter((word) => !FUNCTION_WORDS.has(word)),
);
