import { pattern, source } from '../text/pattern.ts';
import { MONTH_NAMES } from './time/named-date.ts';

/** Verbs and nouns for earlier talk: said, discussed, decided. */
const SAYING = source`
  (?:talk(?:ed|ing)?|discuss(?:ed|ing|ion)?|sp(?:oke|oken|eak)|said|say|mention(?:ed)?|told|tell|agreed?|decid(?:ed
  |e)|settled?|chat(?:ted)?|conversation|cover(?:ed)?|concluded?|recommend(?:ed|ation)?|suggest(?:ed|ion)?)
`;
const WE = '(?:we|you|i|me|us)';

/** Questions and commands that ask for earlier talk, each with its confidence. */
const ASKING: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(
      source`
        \b(?:do you |can you |did you )?(?:remember|recall)\b.{0,30}\b(?:what|when|where|which|who|how|that|the|our
        |my|if|whether)\b.{0,40}\b${WE}\b.{0,25}\b${SAYING}
      `,
      'i',
    ),
    0.95,
  ],
  [new RegExp(`\\bdid(?:n't| not)? (?:we|i|you)\\b.{0,25}\\b${SAYING}\\b`, 'i'), 0.9],
  [
    new RegExp(
      `\\bhave(?:n't| not)? (?:we|i|you) (?:ever |already |not )?(?:\\w+ )?${SAYING}\\b`,
      'i',
    ),
    0.9,
  ],
  [
    new RegExp(
      `\\b(?:what|when|where|which|who|how)\\b.{0,30}\\b(?:did|had|have|was it|were)\\b.{0,12}\\b${WE}\\b.{0,25}\\b${SAYING}\\b`,
      'i',
    ),
    0.95,
  ],
  [
    pattern('i')`
      \b(?:what|which|where|who)\b.{0,25}\b(?:we|you|i) (?:had |have |just )?(?:talked|discussed|spoke|spoken|said
      |mentioned|told|agreed|decided|settled|recommended|suggested|were (?:saying|talking|discussing))\b.{0,60}\?
    `,
    0.85,
  ],
  [
    pattern('i')`
      \b(?:(?:catch|get|bring) me up to (?:date|speed)|catch me up on|(?:go|going|come|get|return(?:ing)?
      |back) (?:back )?to (?:our|the|that|yesterday's) (?:\w+ )?(?:conversation|discussion|talk|chat))\b
    `,
    0.8,
  ],
  [
    pattern('i')`
      \b(?:remind me|refresh my memory|jog my memory|bring me up to speed|recap|catch me up)\b(?! (?:to|at|in|on
      |tomorrow|tonight|later|every|when|before|what (?:i|we) (?:need|should|must))\b)
    `,
    0.85,
  ],
  [/\b(?:do|can|don't|can't|could) you (?:still )?(?:remember|recall)\b/i, 0.85],
  [
    pattern('i')`
      \b(?:what|where|how far) (?:did we|were we|had we) (?:leave|left|stop|get|at|up to|end)\b
      |\bwhere (?:did we leave|we left) off\b|\bpick(?:ing)? up where\b|\bas we left it\b
    `,
    0.9,
  ],
  [
    pattern('i')`
      \b(?:last time|previously|earlier|yesterday|the other day|last (?:week|month|year|night)|(?:a|few|two
      |three) \w* ?(?:weeks?|months?|days?) ago|before)\b.{0,40}\b(?:we|you) (?:\w+ )?(?:talk|discuss|sp[oe]|said
      |say|mention|told|agree|decid|recommend|suggest|chat|tried|did|came up|were (?:talking|saying|discussing))
    `,
    0.85,
  ],
  [
    pattern('i')`
      \b(?:you|we) (?:\w+ )?(?:talked|discussed|spoke|said|mentioned|told me|agreed|decided|recommended|suggested
      |chatted)\b.{0,60}\b(?:last time|earlier|before|previously|yesterday|the other day|last (?:week|month|year
      |night)|ago|in (?:${MONTH_NAMES}))\b
    `,
    0.85,
  ],
  [
    /\b(?:you (?:told me|said|mentioned|recommended|suggested)|we (?:talked|spoke|chatted) about|we discussed)\b/i,
    0.7,
  ],
  [
    pattern('i')`
      \b(?:that|the) (?:\w+ ){1,3}(?:we|you|i) (?:talked|spoke|discussed|mentioned|told|said|recommended|suggested
      |were (?:talking|discussing))\b
    `,
    0.75,
  ],
  [
    pattern('i')`
      \b(?:what|which|who|where|when) (?:was|were|is|'s) (?:the|that|my|our) .{2,60}\b(?:again|i (?:told|mentioned
      |gave|said)|we (?:talked|discussed|chose|picked|decided)|you (?:told|mentioned|gave|said|recommended
      |suggested))\b
    `,
    0.8,
  ],
  [
    /\b(?:our|my) (?:last|previous|earlier) (?:conversation|chat|talk|discussion|session|call)\b/i,
    0.8,
  ],
  [/\bwhat (?:do|did) you (?:know|remember|have) (?:about|on|of) (?:me|my|us|our)\b/i, 0.8],
  [/\b(?:as|like) (?:i|we|you) (?:said|mentioned|discussed|told you|talked about)\b/i, 0.6],
  [
    pattern('i')`
      ^(?:please )?(?:remember|recall) (?:when|how|what|where|the (?:time|day|one)|our|that (?:time|day|one|talk
      |thing|\w+ (?:we|you|i)))\b
    `,
    0.8,
  ],
];

/** Not a question for earlier talk: "remember to …" and "remember that I …" give something to keep, "I remember my youth" tells a story. */
const KEEPING = pattern('i')`
  \b(?:please |always |just |also )?remember (?:to\b|that (?:i|my|we|our|the|it)\b(?!.{0,30}\b(?:we|you) (?:talked
  |discussed|said|mentioned))|my\b|this\b|for (?:next|later|the future)\b|i(?:'m| am| have|'ve| like| don't| never
  | prefer| always)\b)|\bdon't forget\b|\bi (?:still |can |do |always |clearly |vividly )*(?:remember
  |recall)(?:ed)?\b(?!.{0,40}\b(?:you|we) (?:said|saying|told|talk|discuss|mention))|\b(?:he|she|they|my \w+
  |people) (?:\w+ )?(?:remembers?|recalls?|remembered)\b
`;
const CAN_YOU =
  /\b(?:do|can|don't|can't|could|did) you (?:still )?(?:remember|recall)\b(?! (?:to|that i)\b)/i;

/** The confidence that a message without any of these patterns does not ask for earlier talk. */
const NOTHING = 0.9;
/** The confidence for a message that matches `KEEPING`, which looks much like a question for earlier talk. */
const KEPT = 0.8;

/** Whether a message asks for earlier talk, by English patterns, with a confidence of 0-1. */
export function recallIntentOf(message: string): { recall: boolean; confidence: number } {
  const text = message.replaceAll('’', "'").replace(/\s+/g, ' ');
  if (KEEPING.test(text) && !CAN_YOU.test(text)) return { recall: false, confidence: KEPT };
  const sure = ASKING.filter(([pattern]) => pattern.test(text)).map(([, confidence]) => confidence);
  if (sure.length === 0) return { recall: false, confidence: NOTHING };
  return { recall: true, confidence: Math.max(...sure) };
}
