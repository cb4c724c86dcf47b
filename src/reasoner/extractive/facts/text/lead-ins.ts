import { MONTH_NAMES, WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern } from '../../../../language/text/pattern.ts';

/** Introductory words that need no comma. What ends with a comma or a colon is a piece of its own anyway. */
const LEAD_IN = pattern('i')`
  ^(?:(?:hi|hiya|hey|hello|(?:good )?(?:morning|evening|afternoon))(?: (?:there|all|everyone|again|team|both|folks
  |you))?|ok|okay|k|right|so|well|btw|by the way|fyi|also|oh|ah|ooh|ugh|um|hmm+|uh|and|but|or|plus|because|cause|since
  |as|given(?: that)?|seeing (?:as|that)|considering(?: that)?|though|although|while|then|just so (?:you|that you|we)
  (?: are)? (?:know|aware|clear)|so you know|for (?:context|background|the record|reference|info|(?:your )?info
  (?:rmation)?)|(?:just )?(?:a )?(?:quick |small )?(?:heads[- ]?up|note|reminder|update|warning|confession|thing)
  (?: that)?|please (?:note|remember|(?:keep|bear) in mind|be aware|know|consider)(?: that)?|(?:remember|note|(?:keep
  |bear) in mind|mind(?: you)?|consider|know|you know|you see|see|as you (?:may |might |probably )?know|you (?:should
  |may|might)(?: probably)? know|(?:as|like) I (?:said|mentioned)(?: before)?|I (?:already )?(?:told|mentioned|said)
  (?: to)?(?: you)?(?: before| earlier)?|I (?:should|forgot to|ought to|must|have to|need to|want to) (?:mention|add
  |say|admit|confess|tell you|point out|note|let you know)|worth (?:mentioning|knowing|noting))(?: that)?
  |(?:the )?thing is(?: that)?|the truth is|fact is|(?:it )?turns out|apparently|I (?:think|guess|suppose|believe
  |reckon|would say|admit|confess|reali[sz]ed|feel like)(?: that)?|to be (?:honest|fair|clear|frank|precise|exact)|tbh
  |honestly|frankly|in fact|unfortunately|sadly|luckily|happily|fortunately|obviously|of course|basically|actually
  |really|seriously|personally|for me|no|nope|nah|yes|yep|yeah|yup|sure|sorry|oops|wait|no wait|wait no|correction
  |rather|I mean(?:t)?|thanks|thank you|great|cool|nice|perfect|lovely|awesome|ha|back when|when(?= I (?:lived|worked
  |studied|served|was an? ))|as for me|me|(?:since|as of) (?:then|today|yesterday|(?:this|last) (?:week|month|year)
  |new year|${MONTH_NAMES}|${WEEKDAY}|\d{4})|these days|nowadays|right now|currently|at (?:the moment|present)
  |meanwhile|in the meantime|by now|now|today|lately|recently|finally|until recently|yesterday|(?:last|this) (?:week
  |month|year|night|morning|spring|summer|autumn|fall|winter)|a (?:few )?(?:week|month|year)s? ago|always|still|again
  |somehow|in general|generally|usually|mostly|normally|as a rule|in my (?:case|family)|at home|at work|over here)\b
  (?:[,:;.!\s-]+|$)
`;
const KEEPS_ITS_HEAD = pattern('i')`
  ^(?:always|now|in general|generally|as a rule|in my (?:case|family)|as for me|me|remember|mind|see|know|consider
  |really|still|again|at home|at work)\b
`;

/** Words that are introductory only before a stop or a subject: "no, I …", but not "no emojis". */
const NEEDS_STOP = pattern('i')`
  ^(?:no|nope|yes|sure|right|great|cool|nice|perfect|lovely|awesome|well|know|see|note|consider|mind|important|update
  |warning|me|really|wait|rather|remember|reminder|currently|today|recently|lately|finally|obviously|usually|mostly
  |normally|generally|so|apparently)\s+$
`;
const STARTS_CLAUSE = /^(?:I|my|we|our|that|this|it|the|he|she|they|his|her|\p{Lu})/u;

/** Removes introductory words; "always" and similar words stay before a verb. */
export function withoutLeadIn(text: string): string {
  let rest = text.trim();
  for (let step = 0; step < 8; step += 1) {
    const [lead] = LEAD_IN.exec(rest) ?? [];
    if (lead === undefined) return rest;
    const follows = rest.slice(lead.length);
    if (NEEDS_STOP.test(lead) && !STARTS_CLAUSE.test(follows)) return rest;
    const isOpen = /^(?:I|my|we|our|that)\b/i.test(follows) || /[,:]\s*$/.test(lead);
    if (follows === '' || (KEEPS_ITS_HEAD.test(lead) && !isOpen)) return rest;
    rest = follows.trim();
  }
  return rest;
}
