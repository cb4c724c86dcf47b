import { pattern } from '../../../language/text/pattern.ts';
import { taggedWordsOf } from './tagger.ts';

/** Openers that need no comma. Others do ("Right now", "Nice people"). */
const LOOSE = pattern('i')`
  ^(?:and|but|so|oh|hi|hey|hello|yes|yeah|yep|ok|okay|plus|also|then|anyway|well|because|cause|cuz)\b(?! (?:much|many
  |few|little|often|soon|badly|far|that|long|is|are|was|as|being)\b)(?:,? (?:yes|yeah|no|then|now|so|well|and|but),)?[\s,:;–—-]*
`;
/** Openers with an omitted comma: "Great I booked it". */
const UNMARKED = pattern('i')`
  ^(?:great|perfect|awesome|excellent|wonderful|fantastic|sorry|thanks|sure|cool|nice|alright|absolutely|certainly)\s+
  (?=(?:i|i'\w+|we|we'\w+|it|that|the|there|what|can|could|do|you|your|my)\b)
`;
const OPENER = pattern('i')`
  ^(?:oh|well|so|yeah|yea|yes|yep|yup|no|nope|nah|wow|hey|hi|hello|ok|okay|k|sure|thanks(?: so much| a lot| a bunch)?
  |thank you(?: so much| very much)?|haha|lol|ah|aww?|hm+|um|uh|right|great|cool|nice|awesome|absolutely|definitely
  |totally|actually|anyway|btw|by the way|honestly|i mean|you know|of course|certainly|indeed|sorry|i'm sorry|congrats
  |congratulations|for sure|no worries|no problem|true|exactly|got it|perfect|alright|yay|gosh|ugh|omg|oof|yikes|whoa
  |aw|dang|damn|man|neat|good|fine|glad|in fact|basically|luckily|thankfully|fortunately|sounds good|fair enough
  |me too|same here|not much|not really|of late|again|please|excuse me|on another note|in other news|guess what
  |just so you know|fyi|to be honest|long story short|speaking of which)(?:\s*[,!.:;–—]+\s*|\s+[-–—]+\s*)
`;
/** "So" with as much of the text as tells whether it means "very". */
const DEGREE = /^so (?=(.{2,40}))/i;
/** Without "I think" and the like: a guess is not quoted as certain. */
const TRAILER = pattern('i')`
  (?:,\s{0,9}|\s{1,9})(?:(?:right|you know|haha|lol|though|too|please|thanks|thank you|ok|okay|eh|huh|isn't it
  |don't you think|and all that|at all|by the way|btw|as well))(?=[.!?]{0,9}$)
`;
const KEPT_TRAILER = /\s(?:though|too|at all|as well|right|thanks|ok|okay)[.!?]*$/i;
const GREETING = /^(?:hey|hi|hello|yo|dear|wow|thanks|thank you|congrats),? /i;
const AFTER_NAME = /^(?:[,!:]+\s*| - )/;

const formsOf = new WeakMap<readonly string[], readonly string[]>();

/** The names of the people in a talk with their short forms ("Melanie", "Mel"), the longest first. */
function called(names: readonly string[]): readonly string[] {
  const cached = formsOf.get(names);
  if (cached !== undefined) return cached;
  const forms = names.flatMap((name) => {
    const first = name.split(' ')[0] ?? name;
    const short = [2, 3, 4, 5]
      .filter((length) => length < first.length)
      .map((length) => first.slice(0, length));
    return [name, first, ...short.filter((form) => form.length > 2 || /^[A-Z][a-z]$/.test(form))];
  });
  const found = [...new Set(forms.map((form) => form.toLowerCase()))]
    .filter(Boolean)
    .sort((a, b) => b.length - a.length);
  formsOf.set(names, found);
  return found;
}

/** The first of the names that occurs at a position, if the text after it fits. */
const nameAt = (
  text: string,
  at: number,
  forms: readonly string[],
  fits: (end: number) => boolean,
) =>
  forms.find(
    (form) => text.slice(at, at + form.length).toLowerCase() === form && fits(at + form.length),
  );

/** Removes an address at the beginning: "Hey Mel, I moved" → "I moved". */
function withoutCallFirst(text: string, forms: readonly string[]): string {
  const behind = (end: number) => AFTER_NAME.exec(text.slice(end));
  const greeting = GREETING.exec(text)?.[0].length ?? 0;
  for (const at of greeting > 0 ? [greeting, 0] : [0]) {
    const name = nameAt(text, at, forms, (end) => behind(end) !== null);
    if (name === undefined) continue;
    const end = at + name.length;
    return text.slice(end + (behind(end)?.[0].length ?? 0));
  }
  return text;
}

/** Removes an address at the end: "I moved, Mel." → "I moved." What is inside a sentence stays, as it was said. */
function withoutCallLast(text: string, forms: readonly string[]): string {
  const comma = text.lastIndexOf(',');
  if (comma < 0) return text;
  const start = text.length - text.slice(comma + 1).trimStart().length;
  const name = nameAt(text, start, forms, (end) => /^[.!?]?$/.test(text.slice(end)));
  return name === undefined ? text : text.slice(0, comma) + text.slice(start + name.length);
}

/** Removes names by which somebody is addressed, at the beginning and the end: "Mel, I moved, Mel." → "I moved." */
export function stripAddress(text: string, names: readonly string[]): string {
  const forms = called(names);
  return forms.length === 0 ? text : withoutCallLast(withoutCallFirst(text, forms), forms);
}

/** Removes openers, fillers and addresses, in whatever order they come. */
export function stripSpeech(text: string, names: readonly string[]): string {
  return stripOpeners(stripAddress(stripOpeners(stripAddress(text, names)), names));
}

/** Removes openers and fillers: "Yeah, well, I moved, you know." → "I moved." */
export function stripOpeners(text: string): string {
  let rest = text.trim();
  for (let round = 0; round < 5; round++) {
    const bare = rest.replace(OPENER, '');
    const loose = isDegree(bare) ? bare : bare.replace(LOOSE, '');
    const shorter = loose.replace(UNMARKED, '').trimStart();
    if (shorter === rest || !/\p{L}{2}/u.test(shorter)) break;
    rest = shorter;
  }
  return KEPT_TRAILER.test(rest) && !/,\s*\w+[.!?]*$/.test(rest) ? rest : rest.replace(TRAILER, '');
}

/** Whether "so" means "very": "so tired", "so annoyed about it", but not "so good news", "so great, I booked it". */
function isDegree(text: string): boolean {
  const [, rest = ''] = DEGREE.exec(text) ?? [];
  if (rest === '' || OPENER.test(rest) || UNMARKED.test(rest.replace(/ that\b/, ''))) return false;
  const [, first, ...more] = taggedWordsOf(`so ${rest}`);
  const next = more.find(({ tags }) => !tags.has('Adjective'));
  const ends = next === undefined || /[,.!?;:]/.test(first?.post ?? '');
  if (first?.tags.has('Adjective'))
    return (
      ends || !next.tags.has('Noun') || /^(?:here|there|i|it|you|we|they|s?he)$/.test(next.lower)
    );
  const isPast = first?.tags.has('PastTense') ?? false;
  return isPast && (ends || /^(?:about|by|with|at|of|for|that)$/.test(next.lower));
}
