import { keysOf } from '../../shared/keys-of.ts';
import { pattern } from '../text/pattern.ts';

/**
 * Cues in the words of a turn that a topic ends, continues or begins. They are independent of the topic.
 * English only; in other languages there are no cues and the vectors decide.
 */
const CUES = {
  asks: /\?/,
  thanks: /\b(?:thanks?|thank you|appreciate)\b/i,
  welcome: pattern('i')`
    \b(?:you'?re welcome|you are welcome|no problem|my pleasure|glad (?:i|to)|happy to help|have a (?:great|good
    |nice|wonderful|lovely|safe)|enjoy (?:your|the)|good ?bye|bye|take care|see (?:you|ya)|good luck)\b
  `,
  anythingElse:
    /\b(?:(?:any|some)thing (?:else|more)|any (?:other|more|further)|else i can|other questions|assist you further)\b/i,
  done: pattern('i')`
    \b(?:booked|booking was|reference number|reserved|scheduled|set (?:a|the|your|for)|sent|will (?:be|remind|avoid)
    |done|confirmed|successful(?:ly)?|reminder set|setting|navigat\w+|address is|located at|number is|postcode)\b
  `,
  thatsAll:
    /\b(?:that'?s all|that is all|that will be all|all i need|that'?s it|nothing else|that will do)\b/i,
  request: pattern('i')`
    \b(?:i (?:need|want|wish)|i(?:'d| would) (?:like|love)|i(?:'m| am) (?:looking|trying|interested|in need)
    |looking for|can you|could you|can i|could i|help me|please (?:find|give|show|tell|book|help|set|schedule)
    |i was (?:hoping|wondering))\b
  `,
  opensRequest: pattern('i')`
    ^(?:(?:hi|hello|hey|ok|okay|great|also|and|yes|please)\W+)*(?:i (?:need|want|would like|am looking|'m looking
    |am trying|am interested)|i'd like|i'm|can you|could you|can i|is there|are there|do you (?:know|have)|help
    |please)\b
  `,
  orders: pattern('i')`
    ^(?:(?:hi|hello|hey|please|car)\W+)*(?:find|give|show|tell|book|set|schedule|check|remind|make|create|get|search
    |look|list|write|explain|help|add|put|navigate|direct|take|call|let'?s|let me|suggest|recommend|where(?:'s| is
    | can)|what(?:'s| is| are| will)|when(?:'s| is)|is it going|will (?:it|there))\b
  `,
  opensWh: /^(?:what|where|when|why|who|how|which)\b/i,
  opensAuxiliary: /^(?:do|does|did|is|are|was|were|can|could|will|would|should|have|has|any)\b/i,
  doYou: /\b(?:do|did|have|are|were|can|would|will) (?:you|u|ya)\b/i,
  asksAboutYou:
    /\b(?:what|where|how|who) (?:do|did|are|about|kind|type|sort) ?(?:of)? ?(?:you)?\b/i,
  asksLikes: pattern('i')`
    \b(?:do you (?:like|have|enjoy|play|work|listen|watch|know|read|live)|have any|you have|any (?:pets|hobbies|kids
    |siblings|plans|favou?rite)|favou?rite|what do you (?:do|like)|for (?:fun|work|a living))\b
  `,
  andYou:
    /\b(?:(?:how|what) about (?:you|u|yourself)|and (?:you|yours|yourself)|you\s*\?|yourself\s*\?|yours\s*\?)/i,
  answers:
    /^(?:yes|yeah|yep|yup|no|nope|nah|sure|absolutely|definitely|of course|certainly|exactly|right|true|correct|indeed)\b/i,
  reacts: pattern('i')`
    ^(?:ok|okay|great|good|nice|cool|awesome|perfect|alright|fine|wow|oh|neat|sweet|excellent|wonderful|sounds|ah
    |i see|got it|that(?:'?s| is| s| sounds)|understood|interesting|amazing|lol|haha|ha|really|hmm|well)\b
  `,
  praises: pattern('i')`
    \b(?:sounds|that'?s (?:great|good|nice|cool|awesome|amazing)|that is (?:great|good|nice|cool|awesome|neat
    |amazing|so)|good for you|very (?:cool|nice))\b
  `,
  meToo: /\b(?:me too|me neither|so do i|i agree|same here|as well|too)\b/i,
  continues:
    /^(?:and|but|so|because|or|then|also|plus|too|though|however|actually|maybe|perhaps|instead)\b/i,
  shifts: pattern('i')`
    \b(?:by the way|btw|anyways?|speaking of|on another note|another (?:thing|question)|also|one more|next|besides
    |changing|change (?:of )?(?:the )?(?:topic|subject)|new topic|moving on|other than that|something else)\b
  `,
  greets: /\b(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|greetings|howdy)\b/i,
  opensPronoun: pattern('i')`
    ^(?:\W*(?:(?:yes|no|yeah|ok|okay|great|well|and|but|so|oh|is|are|was|does|do|did|will|can|could|would|has
    |what(?:'?s)?|how|where|when)\W+)+)?(?:it|its|it's|they|them|their|they're|that|that's|this|those|these|he|she
    |him|her|his|there|one)\b
  `,
  pronoun: /\b(?:it|its|it's|they|them|their|they're|those|these|he|she|him|his|hers|ones?)\b/i,
  me: /\b(?:i|i'm|i'd|i've|i'll|my|me|mine)\b/i,
  you: /\b(?:you|your|yours|you're)\b/i,
  digits: /\d/,
  sorry: /\b(?:sorry|unfortunately|no results|not able|unable|couldn'?t)\b/i,
  exclaims: /!/,
  details: pattern('i')`
    \b(?:prefer(?:ence|red)?|would you like|do you (?:want|need)|how many|what (?:day|time|city|area|price|type|kind
    |date)|which|when would|where (?:will|would|are) you)\b
  `,
  recent: pattern('i')`
    \b(?:recently|lately|just|yesterday|last (?:week|night|month|year|weekend)|today|tonight|this (?:week|morning
    |weekend)|these days|been up to|what'?s new|how have you|how are|how'?s it|long time)\b
  `,
} as const;

export type Cue = keyof typeof CUES;

const NAMES = keysOf(CUES);
/** How many characters of a turn are read: the cues are at its beginning, and a page-long answer must not cost more. */
const READ = 2_000;

/** Which cues a turn shows: 1 or 0 for each. */
export function cuesOf(text: string): Record<Cue, number> {
  const read = text.trim().slice(0, READ).replaceAll('’', "'");
  const entries = NAMES.map((name) => [name, CUES[name].test(read) ? 1 : 0]);
  return Object.fromEntries(entries) as Record<Cue, number>;
}
