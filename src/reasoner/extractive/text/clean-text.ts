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

/** Writes the first letter of a word small; an acronym stays. */
export const uncapitalised = (text: string): string =>
  text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** Adds a full stop to a text that does not end like a sentence, to separate it from what follows. */
export const withStop = (text: string): string =>
  /[.!?…。！？]["')]?$/.test(text) ? text : `${text}.`;
