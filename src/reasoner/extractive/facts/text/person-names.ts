import { STOPWORDS } from '../../../../language/en/words/english.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import { capitalised } from '../../text/clean-text.ts';
import { nlp } from '../../text/tagger.ts';
import { CALENDAR, COUNTRIES, LANGUAGES } from './words.ts';

const TOKEN = "\\p{Lu}[\\p{L}\\p{M}'’-]*\\.?";
const NAME = new RegExp(
  `^${TOKEN}(?: (?:(?:van|von|de|der|den|da|di|del|la|le|al|el|bin|ibn|ter|ten|dos|das|du) ){0,4}${TOKEN}){0,4}`,
  'u',
);
const NOT_NAMES = pattern('u')`
  ^(?:Mr|Mrs|Ms|Dr|Sir|Madam|Captain|King|Queen|Lord|Lady|Prince|Princess|Agent|Detective|Inspector|Commander|Count
  |Countess|Baron|Officer|Sergeant|Emperor|Batman|Superman|Spiderman|Jesus|Groot|Iron|God|Santa|Ok|Okay|Sorry|Happy
  |Vegan|Vegetarian|Sure|Not|The|In|At|On|From|Very|Just|So|An?|And|But|Christian|Muslim|Jewish|Catholic|Buddhist
  |Hindu|Protestant|Orthodox|${CALENDAR}|I|ADHD|OCD|HR|IT|CEO|CTO|CFO|COO|VP|Capricorn|Aries|Taurus|Gemini|Cancer|Leo
  (?= by)|Virgo|Libra|Scorpio|Sagittarius|Aquarius|Pisces|English|Please|Thanks|Hi|Hey|Hello|Yes|No|Well|Lol|TBH|BTW
  |Btw|AFK|OOO)$
`;

/** The name of a person at the beginning of a text. A lower-case name counts only if it is `expected` or well known. */
export function personNameOf(text: string, expected: string | null = null): string | null {
  const [found] = NAME.exec(text.trim()) ?? [];
  const name =
    found && trimEndOf(found.replace(/['’]s$/u, '').replace(/(?<=\p{L}{2})\.$/u, ''), /['’-]/u);
  if (name) {
    const [first = ''] = name.split(' ');
    const isOther = LANGUAGES.has(first.toLowerCase()) || COUNTRIES.has(first.toLowerCase());
    return isOther || NOT_NAMES.test(first.replace(/\.$/, '')) ? null : name;
  }
  const [lower] = /^[\p{L}\p{M}'’-]{2,20}/u.exec(text.trim()) ?? [];
  if (!lower) return null;
  if (expected?.toLowerCase().split(/\s+/).includes(lower.toLowerCase())) return lower;
  const isFirstName = !COMMON.test(lower) && nlp(capitalised(lower)).has('#FirstName');
  return isFirstName ? lower : null;
}

const COMMON = pattern('i')`
  ^(?:will|may|mark|art|bill|grace|faith|hope|joy|rose|sunny|happy|pat|rich|frank|jack|sandy|misty|dusty|ready|so|just
  |not|the|an?|in|at|on|very|young|chase|drew|summer|autumn|june|april|august|christian|german|angel|destiny|dawn
  |robin|penny|ginger|olive|pepper|star|sky|honey|baby|bay|king|prince|duke|earl|max|miles|guy|sue|pierce|lance|rod
  |nick|rob|gene|dean|dale|glen|cliff|brook|heath|reed|chance|hunter|carter|tanner|mason|parker|cooper|page|major|van
  |don|see|say|ana|long|kind|can|has|was|is|are|last|many|love|dear|lucky)$
`;

const NO_NAME =
  '(#Organization|#Place|#Verb|#Adjective|#Adverb|#Date|#Uncountable|#Plural|#Expression|#Value)';

/** Whether a word may be a name in a place where one is usual: it is a first name, or none of the words that are known. */
export function mayBeName(word: string): boolean {
  const lower = word.toLowerCase();
  const name = capitalised(lower);
  if (COMMON.test(lower) || STOPWORDS.has(lower) || personNameOf(name) !== name) return false;
  const tagged = nlp(name);
  return tagged.has('#FirstName') || !tagged.has(NO_NAME);
}

const TITLED = pattern('u')`
  ^(?:(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Father|Sister)\.? (?!(?:Perfect|Grumpy|Right|Wrong|Nice|Cool|Happy|Busy
  |Popular|Big|Angry|Fix|Know)\b)\p{Lu}[\p{L}\p{M}'’-]+|(?:dr|mr|mrs|ms)\.? (?!(?:and|is|who|nice|right|perfect)\b)
  \p{Ll}[\p{L}\p{M}'’-]+)
`;

/** A title and a name: "Dr Lindqvist". */
export const titledName = (text: string): string | null => TITLED.exec(text)?.[0] ?? null;
