import type { Role } from '../../shared/role.ts';
import { cached } from '../text/cached.ts';
import { pattern, source } from '../text/pattern.ts';
import { sentencesIn } from './narrative.ts';

/** The surprise of news that breaks somebody's picture of the world. A key moment begins at 0.7, a flashbulb at 0.85. */
const SHATTERING = 0.9;
/** The surprise of news that reveals something unexpected. */
const REVEALING = 0.75;

const KIN = source`
  (?:dad|daddy|father|mum|mom|mam|mother|parents?|brother|sister|son|daughter|child|baby|wife|husband|partner
  |boyfriend|girlfriend|fianc[eé]e?|grand(?:ma|pa|mother|father|son|daughter)|nan|granny|uncle|aunt|cousin|nephew
  |niece|friend|best friend|boss|colleague|neighbour|neighbor|dog|cat|puppy|kitten|horse)
`;
const PLACE =
  '(?:company|firm|office|branch|factory|plant|school|shop|store|hospital|team|department|studio|startup|business|bakery|restaurant)';
/** Patterns of news of loss, illness, disaster, ruin and separation, each with its surprise. */
const NEWS: readonly (readonly [RegExp, number])[] = [
  [
    new RegExp(
      source`
        \b${KIN}\b.{0,30}\b(?:(?:has |just |suddenly )*(?:died|passed away)|(?:is|was) (?:dead|killed|in a coma
        |in intensive care|dying|missing)|had a (?:stroke|heart attack|miscarriage|terrible accident|bad accident)
        |(?:has|have) (?:\w+ )?cancer)\b
      `,
      'i',
    ),
    SHATTERING,
  ],
  [
    new RegExp(
      `\\b(?:i|we)(?:'ve| have)?(?: just)? (?:lost|losing|buried) (?:my|our|the) (?:\\w+ )?(?:${KIN}|job|house|home)\\b`,
      'i',
    ),
    SHATTERING,
  ],
  [
    pattern('i')`
      \b(?:i|he|she|they|we)(?:'ve|'ve just| have| has| was| were|'s| just)*(?: been| got)? (?:diagnosed with
      |given \w+ (?:weeks|months) to live)\b|\bit(?:'s| is) (?:cancer|terminal|malignant)\b
    `,
    SHATTERING,
  ],
  [
    pattern('i')`
      \b(?:i|we)(?:'ve|'m|'re| am| are| was| were| have| just| got| been| all)* (?:fired|laid off|made redundant
      |sacked|evicted|arrested|robbed|mugged)\b
    `,
    SHATTERING,
  ],
  [
    new RegExp(
      source`
        \b(?:the|our|my) (?:whole|entire) (?:\w+ ){0,2}${PLACE}\b.{0,20}\b(?:clos(?:es?|ed|ing)|shut(?:s
        |ting)?(?: down)?|laid off|fired|let go|made redundant|lay(?:s|ing)? off)\b|\b(?:our
        |my) (?:\w+ ){0,2}${PLACE} (?:(?:has|is|was|just|went|gone|going) )+(?:bankrupt|insolvent|bust|under
        |closing down|being closed)\b
      `,
      'i',
    ),
    SHATTERING,
  ],
  [
    pattern('i')`
      \b(?:our|my|the) (?:house|home|flat|apartment|office|workshop|studio|barn|shop)\b.{0,12}\b(?:burn(?:ed|t) down
      |is on fire|is burning|collapsed|was (?:destroyed|broken into|burgled)|is under water)\b
    `,
    SHATTERING,
  ],
  [
    pattern('i')`
      \b(?:he|she|my (?:wife|husband|partner|boyfriend|girlfriend))(?:'s| is| has| just)* (?:left me|leaving me
      |moved out on me|cheat(?:ed|ing) on me|wants? (?:a|to) divorce|asked for a divorce|filed for divorce)\b
      |\bwe(?:'re| are) getting (?:a divorce|divorced)\b
    `,
    SHATTERING,
  ],
  [
    pattern('i')`
      \b(?:i'm|i am|she's|she is|my wife is|we're|we are) (?:pregnant|having (?:a baby|twins|triplets))\b|\b(?:it's
      |it is|they're) (?:twins|triplets)\b|\b(?:i|we)(?:'ve| have)?(?: just)? won the (?:lottery|jackpot)\b|\b(?:i
      |we) (?:just )?found out (?:that )?i(?:'m| am| was) adopted\b
    `,
    SHATTERING,
  ],
  [
    pattern('i')`
      \bi had no idea\b|\b(?:this|that|it) changes (?:everything|the whole (?:picture|story|thing))\b|\bturn(?:s
      |ed)? (?:my|our) (?:life|world) upside down\b|\bmy (?:whole )?world (?:just )?(?:collapsed|fell apart)\b
    `,
    REVEALING,
  ],
];
const OWN = '(?:my|our|his|her|their|the)';
/** "We've just", "she is now". */
const HAS = source`
  (?:'?(?:ve|s|m|re)\b| (?:have|has|had|am|is|are|was|were|just|finally|all|both|now|got|been|getting))*
`;
/** What changes somebody's life, for good or bad, and may be expected. */
const CHANGES = source`
  (?:pregnant|expecting an? (?:\w+ )?(?:baby|child|boy|girl)|(?:expecting|having) (?:a baby|twins|triplets)|engaged\b
  (?! in| with)|married|divorced|separated|promoted|hired|fired|sacked|laid off|made redundant|diagnosed|retired
  |resigned|in (?:the )?hospital|in remission|gave birth|passed away|adopted|widowed|(?:quit|lost|got|accepted|found|start(?:s|ed
  |ing)?) (?:${OWN}|that|an?) (?:\w+ ){0,2}(?:job|post|position|apprenticeship|scholarship|promotion)|(?:broken?
  |breaking|split(?:ting)?) (?:it off\b|up\b(?! (?:the|into|a|my|our)\b)|${OWN} (?:\w+ )?(?:arm|leg|hip|wrist|ankle
  |foot|hand|shoulder|collarbone|nose)\b)|mov(?:ed|ing) (?:in (?:with|together)|out\b|away\b|house\b|abroad\b|back home
  |to (?!an?\b|the\b|my\b|our\b|\w+day\b)\w+)|(?:had|having|bought|buying|sold) (?:${OWN}|an?)
  (?: \w+)? (?:baby|boy|girl|miscarriage|stroke|heart attack|accident|operation|house|flat|home))\b
`;
const LIFE: readonly RegExp[] = [
  new RegExp(`\\b(?:i|we|he|she|they|${OWN} (?:\\w+ )?${KIN})${HAS} ${CHANGES}`, 'i'),
  new RegExp(`(?<![\\p{L}\\d'])\\p{Lu}\\p{Ll}{1,20}${HAS} ${CHANGES}`, 'u'),
  pattern('i')`
    \b(?:(?:was|were|is) born|it'?s an? (?:boy|girl)|s?he (?:died|said yes(?! to)|proposed)|hand(?:ed|ing) in my notice
    |(?:they|he|she) (?:(?:fired|hired) (?:me|him|her|us)|let (?:me|him|her|us) go)|proposed to me)\b
  `,
];
/** Not news: long ago, made up, feared, denied or a joke. */
const NO_NEWS = pattern('iu')`
  \?\s*$|\b(?:if|unless|almost|nearly|imagine|would|could|might|afraid|scared|worried|dream(?:ed|t)?|never|not|n't
  |ago|years?|when (?:i|we) (?:was|were)|since|in (?:19|20)\d\d|last (?:year|century)|book|novel|film|movie|story
  |series|episode|game|season|character|chapter|lol|lmao|ha(?:ha)+|joke|joking|kidding)\b|[😂🤣]
`;
const DENIAL = /\b(?:don|doesn|didn|isn|wasn|aren|weren|won|hasn|haven)'t\b/i;

/**
 * How shattering the news in these turns is, 0-1, by English patterns: the death of somebody close, an illness, a house on
 * fire, a whole office closed. 0 without such news. Such news is a key moment whatever was said before.
 */
export function newsIn(turns: readonly { role: Role; text: string }[]): number {
  const sentences = turns
    .filter(({ role }) => role === 'USER' || role === 'OTHER')
    .flatMap(({ text }) => sentencesIn(text))
    .filter(isReal);
  const found = sentences.flatMap((sentence) =>
    NEWS.filter(([pattern]) => pattern.test(sentence)).map(([, surprise]) => surprise),
  );
  return Math.max(0, ...found);
}

const isReal = (sentence: string): boolean => !NO_NEWS.test(sentence) && !DENIAL.test(sentence);

/** Whether a sentence tells news that change somebody's life: a birth, a death, a job, a move, an engagement, an illness. */
export const isLifeNews: (sentence: string) => boolean = cached(
  (sentence) =>
    isReal(sentence) &&
    (LIFE.some((pattern) => pattern.test(sentence)) ||
      NEWS.some(([pattern, surprise]) => surprise >= SHATTERING && pattern.test(sentence))),
);
