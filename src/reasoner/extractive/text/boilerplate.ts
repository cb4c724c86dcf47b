import { isLifeNews } from '../../../language/en/shattering-news.ts';
import { termWeight } from '../../../language/en/term-weight.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { termsOf } from '../../../language/text/terms.ts';

/** Courtesies and reactions, which say nothing about the topic. */
const PHRASES = [
  /^(?:hi|hey|hello|good (?:morning|evening|afternoon|night)|bye|goodbye|see you|take care|cheers|welcome)\b.{0,30}$/i,
  /^(?:how (?:are|have) (?:you|things)|how's it going|how('s| is) everything|what's up|what's new|long time no see)\b.{0,40}$/i,
  /\b(?:thanks|thank you|thx|cheers)\b(?! to\b).{0,45}$/i,
  pattern('i')`
    ^(?:(?:yes|yeah|no|sure|ok|okay|alright|great|perfect|fine|right|exactly|absolutely|definitely|of course|certainly
    |got it|will do|sounds (?:good|great|fun|like a plan|amazing|awesome)|no problem|no worries|you(?:'re
    | are) (?:very |most )?welcome|my pleasure|good to (?:know|hear)|i see|i understand|me too|same here|agreed
    |awesome|cool|nice|wow|please)[\s,.!]*)+$
  `,
  /\b(?:can|may|could|should) i (?:help|assist|do|get)\b.{0,20}\b(?:anything|something|you|else)\b/i,
  /\b(?:is there|do you need|would you like|will there be|need) (?:there )?anything (?:else|more)\b/i,
  /\banything else\b.{0,40}\?$/i,
  /\bhow (?:can|may) i (?:help|assist)\b/i,
  pattern('i')`
    ^(?:let me know|feel free|don't hesitate|reach out|keep me (?:posted|updated)|can't wait|talk (?:to you )?(?:soon
    |later)|catch you|have a (?:great|good|nice|lovely))\b
  `,
  pattern('i')`
    ^(?:that's|that is|that was|this is|it's|it is|what|how|you're|you are|so|such|really|sounds|looks|glad|happy
    |great|good|i'm|i am|just)\b[^?]{0,25}\b(?:awesome|amazing|great|cool|nice|wonderful|fantastic|inspiring|beautiful
    |lovely|sweet|incredible|exciting|interesting|impressive|neat|fun|good|proud|brilliant|gorgeous|cute|adorable
    |super|true|ok|okay|right|sorry|terrible|awful|tough|glad|happy)\b[^,;]{0,45}$
  `,
  /^(?:congrats|congratulations|good luck|well done|good job|great job|nice work|good for you|way to go|kudos|happy birthday|enjoy)\b/i,
  pattern('i')`
    ^(?:one moment|one sec|just a (?:moment|second)|let me (?:check|see|look|think)|k one sec|hold on|i(?:'ll
    | will) (?:check|look))\b.{0,25}$
  `,
  /^(?:i(?:'m| am) (?:an? )?(?:ai|language model|assistant)|as an ai)\b/i,
  /^(?:please )?(?:hold|wait)\b.{0,15}$/i,
  pattern('i')`
    ^(?:(?:oh|aw+|ah|no|dear)[\s,.!]{1,3}){0,3}(?:i'm|i am|so|very|really|truly) (?:(?:so|very|really|truly) ){0,2}
    sorry(?:,? [^\s,.!?]+)?[.!]*$
  `,
  pattern('u')`
    ^(?:(?:[Oo]h|[Aa]w+)[,.!]? )?[Pp]oor (?:(?:old|little|dear|sweet) )?(?:\p{Lu}\p{Ll}+|things?|you|him|her|them|guy
    |girl|boy|kid|soul|(?:\p{L}+ )?\p{L}+!)[.!]*$
  `,
];
/** What an assistant says to praise or to show that it has heard: "Great location!", "Amazing news, congratulations!" */
const PRAISE = pattern('iu')`
  ^(?:(?:oh|wow|ah)[,.!]? )?(?:(?:what|such) an? )?(?:great|good|nice|lovely|amazing|awesome|fantastic|wonderful
  |brilliant|excellent|perfect|beautiful|exciting|sad|sorry|tough|terrible)(?: \p{L}+){1,2}(?:, (?:congrats
  |congratulations|well done))?!$
`;

/** Whether a sentence of an assistant only praises. */
export const isPraise = (sentence: string): boolean => PRAISE.test(sentence);

/** The sum of the weights of a text's distinct terms. */
export function weightOf(text: string): number {
  let sum = 0;
  for (const term of termsOf(text).keys()) sum += termWeight(term);
  return sum;
}

/** Whether a sentence is a greeting, thanks, a reaction or a service phrase, or has no word that says anything. */
export function isBoilerplate(sentence: string): boolean {
  if (isLifeNews(sentence)) return false;
  if (PHRASES.some((phrase) => phrase.test(sentence)) && weightOf(sentence) < 3.5) return true;
  return weightOf(sentence) < 0.9;
}
