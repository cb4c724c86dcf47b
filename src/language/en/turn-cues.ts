import { pattern } from '../text/pattern.ts';
import { WEEKDAY } from './time/named-date.ts';

const TIME_WORD = pattern('i')`
  \b(?:yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekend|months?|years?|days?|morning|evening|afternoon
  |night|${WEEKDAY}|january|february|march|april|june|july|august|september|october|november|december|recently|just
  |summer|winter|spring|fall|autumn|since|soon|(?:19|20)\d\d)\b
`;

const COURTESIES = new Set(
  `ok okay really yes yep yeah yup ja oui si no nope sure fine good great cool nice perfect lovely thanks thank you thx ty cheers danke
  merci gracias right exactly alright got it noted done will do understood see sounds you're welcome problem of course hi hello
  hey bye lol haha wow oh ah well so then and please very much many lot that's is the that this all now too both all again good morning
  afternoon evening night day`.split(/\s+/),
);
/** In characters. A longer text is more than a courtesy. */
const COURTESY_CHARACTERS = 60;

/** Whether a text contains a word for a time, such as "yesterday" or "June". */
export const hasTimeWord = (text: string): boolean => TIME_WORD.test(text);

/** Whether a text only agrees, thanks or greets. */
export function isCourtesy(text: string): boolean {
  if (text.length > COURTESY_CHARACTERS) return false;
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? [];
  return words.every((word) => COURTESIES.has(word));
}
