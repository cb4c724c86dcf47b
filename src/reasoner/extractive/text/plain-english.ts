const NEGATED =
  /\b(do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)n(?:'t|t\b)/gi;
const EXPANSIONS: readonly (readonly [RegExp, string])[] = [
  [/[’‘ʼ´`]/gu, "'"],
  [/[“”„«»]/gu, '"'],
  [/\bi\b(?!\.e)/g, 'I'],
  [/\b(?:I'm|[Ii]m|I'am|i'm)\b/g, 'I am'],
  [/\b(?:I|i)'?ve\b/g, 'I have'],
  [/\b(we|you|they)'?ve\b/gi, '$1 have'],
  [/\bI'd (?!better)/g, 'I would '],
  [/\b(I|we|you|he|she|it|they)'ll\b/gi, '$1 will'],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\b(?:theyre)\b/gi, 'they are'],
  [/\bcan(?:'t|t|not)\b/gi, 'can not'],
  [/\bwon(?:'t|t)\b/gi, 'will not'],
  [NEGATED, '$1 not'],
  [/\b(he|she|it|that|there|here|what|who|where|how|when|everyone|name)'s\b/gi, '$1 is'],
  [/\b(hes|shes|thats|whats|wheres)\b/gi, (found: string) => `${found.slice(0, -1)} is`] as never,
  [/\b(have|has) not got\b/gi, 'do not have'],
  [/\b(he|she|it) have\b/gi, '$1 has'],
  [/\bI am (?:owning|having) (?=an?\b|two\b|three\b|\d)/g, 'I have '],
  [/\b(we are (?:both |all )?(?:vegan|vegetarian|pescatarian))s\b/gi, '$1'],
  [/\bgonna\b/gi, 'going to'],
  [/\bwanna\b/gi, 'want to'],
  [/\bgotta\b/gi, 'have to'],
  [
    /\b(have|has) got\b(?= (?:an?|the|my|no|some|\d|one|two|three|four|five|six|really|severe|[a-z]+ ))/gi,
    '$1',
  ],
  [
    /\bany more\b(?=\s*(?:[.,;!?)]|$|so\b|but\b|and\b|since\b|because\b|can\b|could\b|after\b|either\b))/gi,
    'anymore',
  ],
  [/\b(?:u)\b/g, 'you'],
  [/\b(?:pls|plz)\b/gi, 'please'],
];

const LAUGHTER = /\b(?:lol|lmao|rofl|ha(?:ha)+h?|hehe+|xd)\b/i;

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
