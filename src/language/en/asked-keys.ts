import { pattern } from '../text/pattern.ts';
import { termsOf } from '../text/terms.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** How people ask for the value of a key: as "my …", for some keys also by a question of their own. */
const ASKED: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:my (?:own |first |full |last )?name|who i am|who am i|what i(?:'m| am) called)$/,
    ['profile:name', 'profile:full_name', 'profile:nickname'],
  ],
  [/^(?:my (?:full|last|family|sur) ?name|my surname)$/, ['profile:full_name', 'profile:name']],
  [/^my nick ?name$/, ['profile:nickname']],
  [/^my pronouns$/, ['profile:pronouns']],
  [/^(?:my age|how old (?:am i|i am))$/, ['profile:age', 'profile:birthday']],
  [
    /^(?:my (?:birthday|birth ?date|date of birth)|when (?:was i born|i was born))$/,
    ['profile:birthday'],
  ],
  [/^(?:my (?:city|town|address)|where (?:do i|i) live)$/, ['profile:city', 'profile:country']],
  [
    /^(?:my home ?town|where (?:am i|i am|i'm|do i come) from)$/,
    ['profile:hometown', 'profile:city', 'profile:country'],
  ],
  [/^my country$/, ['profile:country']],
  [
    /^(?:my (?:job|occupation|profession)|what (?:do i|i) do(?: for a living)?)$/,
    ['profile:occupation', 'profile:employer'],
  ],
  [
    /^(?:my (?:employer|company)|where (?:do i|i) work|who (?:do i|i) work for)$/,
    ['profile:employer', 'profile:occupation'],
  ],
  [/^my (?:school|university|college)$/, ['profile:school']],
  [/^my (?:native |first )?language$/, ['profile:language']],
  [/^my time ?zone$/, ['profile:timezone']],
  [/^my e-?mail(?: address)?$/, ['profile:email']],
  [/^my (?:(?:tele|mobile |cell )?phone|mobile)(?: number)?$/, ['profile:phone']],
  [/^my (?:web ?site|home ?page)$/, ['profile:website']],
];

/** Words that may precede the thing asked for; `CLOSING`: words that may follow it. */
const OPENING = pattern()`
  ^(?:(?:so|and|ok|okay|hey|please|again)[, ]+)*(?:(?:what|who|where|when)(?:'s| is| are| was)
  |(?:can you |could you |please )?(?:tell me|remind me of)|(?:do|did) you (?:still )?(?:know|remember)
  |what do you (?:know|have) (?:as|for))(?: what(?:'s| is))?\s+
`;
const CLOSING = new Set('again please then now is was'.split(' '));
/** The length of the longest closing word with the character before it. */
const LONGEST_CLOSING = 7;
/** In characters. A longer text asks for more than one thing. */
const LONGEST = 500;

/** Removes closing words and marks from the end of a question. */
function withoutClosing(text: string): string {
  let rest = trimEndOf(text, /[\s?.!]/);
  for (;;) {
    const [found, word = ''] = /[, ]([a-z]+)$/.exec(rest.slice(-LONGEST_CLOSING)) ?? [];
    if (found === undefined || !CLOSING.has(word)) return rest;
    rest = trimEndOf(rest.slice(0, -word.length), /[, ]/);
  }
}

/**
 * The keys whose facts fully answer a question: "What's my name?" → `profile:name` and related keys. Empty if the question
 * asks for anything more.
 */
export function askedKeysOf(query: string): readonly string[] {
  if (query.length > LONGEST) return [];
  const text = query.replaceAll('’', "'").toLowerCase().replace(/\s+/g, ' ').trim();
  const asked = withoutClosing(text);
  const bare = asked.replace(OPENING, '');
  return ASKED.find(([pattern]) => pattern.test(bare) || pattern.test(asked))?.[1] ?? [];
}

/** The words in which people state the value of a key. A question for it seldom has one of them. */
const ANSWER_WORDS: Readonly<Record<string, string>> = {
  'profile:age': 'years old birthday born turned',
  'profile:birthday': 'birthday born turned',
  'profile:city': 'live living moved home house flat apartment town city neighbourhood',
  'profile:country': 'live living moved country',
  'profile:employer': 'job company employer team lead manage joined hired office',
  'profile:hometown': 'born grew home town city',
  'profile:language': 'speak speaking language native',
  'profile:occupation': 'job working lead manage team engineer teacher nurse designer developer',
  'profile:school': 'study studying student degree course school university college',
};

/** The terms of the words in which people state what these keys ask for: "Where do I work?" finds "I lead the billing team". */
export const answerTerms = (keys: readonly string[]): string[] => [
  ...termsOf(keys.map((key) => ANSWER_WORDS[key] ?? '').join(' ')).keys(),
];
