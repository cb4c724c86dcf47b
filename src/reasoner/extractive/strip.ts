/** Openers that may stand without a comma; the others need one ("Right now", "Nice people"). */
const LOOSE =
  /^(?:and|but|so|oh|hi|hey|hello|yes|yeah|yep|ok|okay|plus|also|then|anyway|well|because|cause|cuz)\b(?! (?:much|many|far|that|long|is|are|was|as|being)\b)(?:,? (?:yes|yeah|no|then|now|so|well|and|but),)?[\s,:;–—-]*/i;
/** "Great I booked it": a comma that haste left out. */
const UNMARKED =
  /^(?:great|perfect|awesome|excellent|wonderful|fantastic|sorry|thanks|sure|cool|nice|alright|absolutely|certainly)\s+(?=(?:i|i'\w+|we|we'\w+|it|that|the|there|what|can|could|do|you|your|my)\b)/i;
const OPENER =
  /^(?:oh|well|so|yeah|yea|yes|yep|yup|no|nope|nah|wow|hey|hi|hello|ok|okay|k|sure|thanks(?: so much| a lot| a bunch)?|thank you(?: so much| very much)?|haha|lol|ah|aww?|hm+|um|uh|right|great|cool|nice|awesome|absolutely|definitely|totally|actually|anyway|btw|by the way|honestly|i mean|you know|of course|certainly|indeed|sorry|i'm sorry|congrats|congratulations|for sure|no worries|no problem|true|exactly|got it|perfect|alright|yay|gosh|ugh|omg|oof|yikes|whoa|aw|dang|damn|man|neat|good|fine|glad|in fact|basically|luckily|thankfully|fortunately|sounds good|fair enough|me too|same here|not much|not really|of late|again|please|excuse me|on another note|in other news|guess what|just so you know|fyi|to be honest|long story short|speaking of which)(?:\s*[,!.:;–—]+\s*|\s+[-–—]+\s*)/i;
const TRAILER =
  /(?:,\s*|\s+)(?:(?:right|you know|haha|lol|though|too|please|thanks|thank you|ok|okay|eh|huh|isn't it|don't you think|and all that|or something|or whatever|at all|i guess|i think|i suppose|by the way|btw|as well))(?=[.!?]*$)/i;
const KEPT_TRAILER = /\s(?:though|too|at all|as well|right|thanks|ok|okay)[.!?]*$/i;
const INSERTED =
  /,\s*(?:you know|i mean|i guess|like|honestly|basically|literally)\s*,|\s(?:kinda|sorta)(?=\s)/gi;

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names of the people in a talk and their short forms, as a pattern: "Melanie" is also "Mel". */
function called(names: readonly string[]): string | null {
  const forms = names.flatMap((name) => {
    const first = name.split(' ')[0] ?? name;
    const short = [2, 3, 4, 5]
      .filter((length) => length < first.length)
      .map((length) => first.slice(0, length));
    return [name, first, ...short.filter((form) => form.length > 2 || /^[A-Z][a-z]$/.test(form))];
  });
  return forms.length === 0
    ? null
    : [...new Set(forms)]
        .sort((a, b) => b.length - a.length)
        .map(escaped)
        .join('|');
}

/** "Thanks, Mel! I moved, Mel." → "Thanks! I moved." A name that calls somebody tells nothing. */
export function stripAddress(text: string, names: readonly string[]): string {
  const pattern = called(names);
  if (pattern === null) return text;
  return text
    .replace(
      new RegExp(
        `^(?:(?:hey|hi|hello|yo|dear|wow|thanks|thank you|congrats),? )?(?:${pattern})(?:[,!:]+\\s*| - )`,
        'i',
      ),
      '',
    )
    .replace(new RegExp(`,\\s*(?:${pattern})(?=[,.!?]|$)`, 'gi'), '');
}

/** Without the marks of speech and the names called, in whatever order they come. */
export function stripSpeech(text: string, names: readonly string[]): string {
  return stripOpeners(stripAddress(stripOpeners(stripAddress(text, names)), names));
}

/** A sentence without the marks of speech around it: "Yeah, well, I moved, you know." → "I moved." */
export function stripOpeners(text: string): string {
  let rest = text.trim();
  for (let round = 0; round < 5; round++) {
    const shorter = rest.replace(OPENER, '').replace(LOOSE, '').replace(UNMARKED, '').trimStart();
    if (shorter === rest || !/\p{L}{2}/u.test(shorter)) break;
    rest = shorter;
  }
  const inner = rest.replace(INSERTED, (found) => (found.startsWith(',') ? ',' : '')).trim();
  return KEPT_TRAILER.test(inner) && !/,\s*\w+[.!?]*$/.test(inner)
    ? inner
    : inner.replace(TRAILER, '');
}
