import { pattern, source } from '../../../../language/text/pattern.ts';

/** Stated as true, or only on a condition ("if I ask …, …"). Instructions may have a condition. */
export type StatedMood = 'STATED' | 'CONDITIONAL';

/** The mood of a piece of a sentence; UNREAL is what is imagined, or reported of somebody else. */
export type Mood = StatedMood | 'UNREAL';

const SUPPOSING = source`
  ^(?:(?:and|so|but|ok|okay|well|now|just|for example|hi|hey|hello)[, ]+){0,4}(?:suppose|supposing|imagine|imagining
  |pretend|assume|assuming|let'?s (?:say|imagine|assume|suppose|pretend)|say (?:I|my|we|i'?m|im)\b|hypothetically
  |hypothetical|theoretically|in theory|what if i)
`;
/** Opens a supposition: the sentences after it belong to that. */
export const SUPPOSES = new RegExp(SUPPOSING, 'i');
const UNREAL = pattern('i')`
  ${SUPPOSING}|^(?:(?:and|so|but|ok|okay|well|now|just)[, ]+){0,4}(?:picture this|say (?:our|someone|somebody|you
  |that I)\b|what if|what would|for the sake of argument|in another life|in (?:my|the|this|a) (?:novel|story|book|film
  |movie|play|game|dream|fantasy|script|screenplay|campaign|sketch|comic|poem|fanfic)\b|in a parallel|in an alternate
  |had I\b|were I\b|should I\b(?! (?:mention|say|add))|as if|as though|I (?:wish|dreamt|dreamed|had a dream)|if only
  |once I|when I am (?:old|rich|retired)|by the time|nobody|no one says)
`;
const HELPFUL = pattern('i')`
  ^(?:(?:if|in case) (?:it|that|this) (?:helps?|matters?|is (?:relevant|useful|of any use)|makes a difference
  |is important|changes)|(?:if|in case) (?:you|anyone|anybody|someone|they|he|she|it|the) |just in case)
`;
const CONDITION = pattern('i')`
  ^(?:(?:and|so|but|or|then|even|only|please|also)[, ]+){0,4}(?:if|unless|whether|in case|whenever|when(?! I (?:lived
  |worked|studied|served|was an? ))|each time|every time|any time|anytime|once|until|wherever|as soon as|next time)\b
`;
const ABOUT_ME = /^\S+(?: \S+)?? (?:I|we|my|our)\b/i;
/** Opens what somebody else said or thought. */
export const REPORTED = pattern('iu')`
  ^(?:(?:(?:the|an?|my|our|his|her|their|this|that|some|one|every) )?(?:(?!(?:I|we|never|always|just|not|who|that|have
  |has|and|or|to|is|are|am)\b)[\p{L}'-]+ ){1,4}?|(?:he|she|they|it|everyone|everybody|people|someone|somebody|nobody
  |you) )(?:(?:always|just|also|then|once|still|keeps?|kept|even|never) ){0,4}(?:said|says?|saying|told|tells|goes
  |wrote|writes|claims?|claimed|thinks?|thought|reckons?|insists?|insisted|replied|answered|reads|sang|sings|shouts?
  |shouted|was like|is like|asked|joked|whispered|texted|posted|quipped|believes?|swears?|suggested|assumed?)\b
  (?! (?:by|to visit))
`;

/** The mood after a piece: a condition applies to the rest of its sentence, a reason given in passing does not. */
export function moodAfter(mood: Mood, piece: string, sentence: string): Mood {
  if (UNREAL.test(piece) || REPORTED.test(piece)) return 'UNREAL';
  if (mood !== 'STATED' || !CONDITION.test(piece)) return mood;
  if (/\b(?:would|could|were|had)\b/i.test(sentence) && /^(?:\w+ )?(?:if|unless)\b/i.test(piece))
    return 'UNREAL';
  return ABOUT_ME.test(piece) && !HELPFUL.test(piece) ? 'CONDITIONAL' : mood;
}
