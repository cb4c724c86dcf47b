const EXPANSIONS: readonly (readonly [RegExp, string])[] = [
  [/[’‘ʼ´`]/gu, "'"],
  [/[“”„«»]/gu, '"'],
  [/\bi\b(?!\.e)/g, 'I'],
  [/\b(?:I'm|[Ii]m|I'am|i'm)\b/g, 'I am'],
  [/\b(?:I|i)'?ve\b/g, 'I have'],
  [/\b(we|you|they)'?ve\b/gi, '$1 have'],
  [/\bI'd (?!better)/g, 'I would '],
  [/\b(I|we|you|he|she|it|they)'ll\b/gi, '$1 will'],
  [/\b(?:(we|you|they)'re|(they)re)\b/gi, '$1$2 are'],
  [/\bcan(?:'t|t|not)\b/gi, 'can not'],
  [/\bwon(?:'t|t)\b/gi, 'will not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)n'?t\b/gi, '$1 not'],
  [/\b(he|she|it|that|there|here|what|who|where|how|when|everyone|name)'s\b/gi, '$1 is'],
  [/\b(he|she|that|what|where)s\b/gi, '$1 is'],
  [/\b(have|has) not got\b/gi, 'do not have'],
  [/\b(he|she|it) have\b/gi, '$1 has'],
  [/\bI am (?:owning|having) (?=an?\b|two\b|three\b|\d)/g, 'I have '],
  [/\b(we are (?:both |all )?(?:vegan|vegetarian|pescatarian))s\b/gi, '$1'],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\bgotta\b/gi, 'have to'],
  [/\b(have|has) got\b(?= (?:[a-z]+ |\d|an?|the|my|no|some|one|two|three|four|five|six))/gi, '$1'],
  [
    /\bany more(?=\s*(?:$|[.,;!?)]|(?:so|but|and|since|because|c(?:an|ould)|after|either)\b))/gi,
    'anymore',
  ],
  [/\bu\b/g, 'you'],
  [/\b(?:pls|plz)\b/gi, 'please'],
];

/** Laughter in letters. */
export const LAUGHTER = /\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe+|xd)\b/i;

/** Replaces laughter by a comma, since it separates statements. */
function withoutLaughter(text: string): string {
  const parts = text.split(LAUGHTER);
  const last = parts.pop() ?? '';
  return parts.map((part) => `${part.trimEnd().replace(/[,.]$/, '').trimEnd()},`).join('') + last;
}

/**
 * Writes out contractions and straightens quotes ("im", "I'm" → "I am"; "dont" → "do not"; "I've got" →
 * "I have"), so that one pattern reads all spellings.
 */
export function plainEnglish(text: string): string {
  let plain = text;
  for (const [pattern, expansion] of EXPANSIONS) plain = plain.replace(pattern, expansion);
  return withoutLaughter(plain);
}
