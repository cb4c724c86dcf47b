import { MONTH_NAMES, WEEKDAY } from '../../../language/en/time/named-date.ts';
import { LEMMAS } from '../../../language/en/words/english.ts';
import { pattern } from '../../../language/text/pattern.ts';
import type { StepOutput, Utterance } from '../../reasoner.ts';
import type { Sentence } from '../text/sentences.ts';
import { cutShort, shorten } from '../text/shorten.ts';
import { stripSpeech } from '../text/strip.ts';
import type { Participants } from './participants.ts';
import { asSentence } from './quotes.ts';

type Outcome = StepOutput<'describe-segment'>['outcomes'][number];

const EVIDENCE = 160;

const DECISION = pattern('i')`
  \b(?:(?:i|we)(?:'ve| have)?(?: all| both| finally| just| now)* (?:decided|agreed|chosen|settled on|opted
  |made up (?:my|our) minds?|ruled out)|(?:i|we)(?:'ll| will|'m| am|'re| are) (?:go(?:ing)? (?:with|for (?:the|that
  |this)\b)|tak(?:e|ing) (?:the|it|that|this|both)\b(?! as| easy| slow| from here)|book(?:ing)? (?:the|it|that)|stick
  (?:ing)? (?:with|to)|switch(?:ing)? to|drop(?:ping)? (?:the|it)|leaving (?:my|the) job|quitting)|let'?s (?:go with
  |do (?:it|that|this|the)\b|take (?:the|it|that)|use|stick (?:with|to)|book|drop (?:the|it)|make it \d|call it)\b
  |it's (?:decided|settled|a deal)|(?:that's|it's) (?:settled|agreed|final)|decision:|i accepted|i've accepted
  |i said yes|we said yes|i handed in my notice)\b
`;
const NEXT_STEP = pattern('i')`
  \b(?:next steps?\b|(?:i|we)(?:'ll| will)(?: then| also| just)? (?!be\b|go with|take\b|have to see|see\b|think|say
  |check it out|try to\b|never|always|let you know how)\w+ .{0,300}\b(?:tomorrow|tonight|${WEEKDAY}|next (?:week|month
  |time)|later|this (?:week|afternoon|evening|morning|weekend)|in the morning|first thing|by (?:the )?(?:\w+day|end
  |noon|\d)|as soon as|before|after)\b|(?:i|we|you) (?:still (?:need|have) to|(?:have|'ve got) to) (?!arrive|leave
  |depart|be\b|go\b)(?:\w+) .{0,300}\b(?:tomorrow|by (?!\w+ing)|before|until)\b|(?:reminder|meeting|appointment
  |call) (?:is |was |has been )?(?:set|scheduled|booked)|follow(?:ing)? up (?:on|with)|to-?do:|action items?:
  |remind me to|(?:i|we)(?:'m|'re| am| are) (?:planning|going) to .{0,300}\b(?:tomorrow|tonight|next|this weekend
  |on \w+day|in (?:${MONTH_NAMES}))\b)
`;
const MILESTONE = pattern('i')`
  \b(?:(?:i|we|he|she|they|it)(?:'ve|'s| have| has)?(?: just| finally| all)* (?:finished(?! work)|completed|passed
  |graduated|launched|shipped|released|published|deployed|signed (?:the|an?|my|our) (?:\w+ )?(?:contract|lease|deal
  |papers|agreement)|handed (?:it |the \w+ |my \w+ )?in|submitted|got (?:the|a|my) (?:job|offer|promotion|place|visa
  |keys|diploma|degree|licen[cs]e)|won(?!'t)|got (?:married|engaged|promoted|accepted|hired)|moved in|bought (?:a|the
  |our|my) (?:house|flat|car|van|home)|adopted|gave birth|took (?:his|her) first|ran (?:my|our|the) first|played (?:my
  |our) first|fixed (?:it|the)|solved (?:it|the)|found (?:the (?:cause|bug|leak)|it at last))|(?:booking|reservation
  |payment|order|migration|deployment|rollback|transfer|installation|build) (?:was |is |has been |went )?(?:successful
  |confirmed|complete[d]?|through|finished|done)|(?:is|are|was|has been|have been) (?:booked|reserved|confirmed|fixed
  |resolved|solved|deployed|merged|rolled back|back to normal|paid|filed)|it (?:works|worked|passed)(?: now| again)?
  |that (?:worked|fixed it|solved it|did it)|all tests? (?:pass|are green))\b
`;
/** Outcomes without a subject, as in chat: "Decided not to touch it.", "Reserved, for two nights." */
const SHORT = {
  DECISION: pattern('i')`
    ^(?:(?:we |i )?(?:have |'ve )?(?:just )?(?:agreed|decided|settled)\b(?! with\b|,)|deal\b|(?:take|book) (?:it
    |that one|both)\b(?! easy| slow| from| as))|(?:^|, )(?!here|there|so|how|what|as|than|then|sure|yes)\w+ it is\b
    (?=[,.!]|$)|\b(?:we|they) (?:shook hands|split the cost)|\b(?:i|we)(?:'ve| have)? just (?:accepted|agreed to
    |turned down|cancelled)\b
  `,
  MILESTONE: pattern('i')`
    ^(?:reserved|booked|ordered|confirmed|scheduled|filed|deployed|fixed|solved|submitted|merged|released)\b(?=[,.:!]
    |$)|\b(?:just|finally) (?:passed|finished(?! work)|uploaded|submitted|handed in|moved in|signed|accepted|launched
    |shipped|merged|deployed|published|graduated|got engaged|got married)\b|\b(?:is|are|was|came) back (?:up|online
    |to normal|again)|\b(?:up|running|working) again\b|\bgone since\b
  `,
  NEXT_STEP: pattern('i')`
    \b(?:i|we|they|he|she) (?:will )?(?:collect|pick|meet|start|come|leave|visit|sign|move|fly|hand
    |deliver)s?\b.{0,40}\bon (?:the \d|\d|${WEEKDAY})|\bcomes? on ${WEEKDAY}\b|\bgoes out (?:on|tomorrow)\b
  `,
} as const;
/** A plan in the present tense has a future day: "Then we roll it out on Monday". Habits and past events do not match. */
const SCHEDULED = pattern('i')`
  (?:^|\b(?:then|so|good|right|ok)[,.]? )(?:i|we) (?!(?:was|were|had|have|am|are|do|did|can|could|would|will|always
  |usually|often|sometimes|normally|think|know|guess|hope|wish|want|like|love|mean|say|see|\w+ed
  |${[...LEMMAS.keys()].join('|')})\b)[a-z]+ .{0,40}\b(?:on ${WEEKDAY}|tomorrow|tonight|next (?:week|month|\w+day))\b
`;
const NOT_YET = pattern('i')`
  \b(?:if|unless|wish|would|could|should|might|maybe|perhaps|haven't|hasn't|have not|has not|didn't|did not|not yet
  |don't|when (?:i|we) (?:have|finish|get)|hope|hoping|almost|never|after|once|until|before|next time)\b
`;

/** Contractions typed without an apostrophe. */
const HASTE =
  /\b(?:im|ive|weve|theyve|thats|lets|(?:do|did|does|has|have|had|was|were|is|are|would|could|should)nt)\b/gi;

const KINDS = [
  { kind: 'MILESTONE', patterns: [MILESTONE, SHORT.MILESTONE] },
  { kind: 'DECISION', patterns: [DECISION, SHORT.DECISION] },
  { kind: 'NEXT_STEP', patterns: [NEXT_STEP, SHORT.NEXT_STEP, SCHEDULED] },
] as const;

/**
 * The outcomes of a talk: all results of tools, and sentences that state a decision, a next step or an achievement.
 * Questions, negations and conditions do not count. Each outcome has the words that show it, at most 160 characters,
 * and each sentence counts once.
 */
export function outcomesOf(
  turns: readonly Utterance[],
  sentences: readonly Sentence[],
  people: Participants,
): Outcome[] {
  const tools = turns.flatMap(({ toolCalls }) => toolCalls ?? []).map(toolResult);
  if (!people.english) return unique(tools);
  // Each kind counts once per turn: a booking and its number are one outcome.
  const seen = new Set<string>();
  const stated = sentences.flatMap(({ text, turn }): Outcome[] => {
    const kind = outcomeIn(text);
    const key = `${kind} ${turn}`;
    if (kind === null || seen.has(key)) return [];
    seen.add(key);
    return [{ kind, evidence: evidenceOf(text, people) }];
  });
  return unique([...tools, ...stated]);
}

/** The kind of outcome that a sentence states: a decision, a next step or an achievement; null if none. */
export function outcomeIn(text: string): (typeof KINDS)[number]['kind'] | null {
  if (text.endsWith('?')) return null;
  const written = text.replace(HASTE, punctuated);
  return (
    KINDS.find(({ patterns }) => patterns.some((pattern) => shows(written, pattern)))?.kind ?? null
  );
}

/** Adds the apostrophe to a contraction: "ive" → "i've". */
const punctuated = (word: string): string => word.replace(/(?=(?:ve|\w)$)/i, "'");

function shows(text: string, pattern: RegExp): boolean {
  const match = pattern.exec(text);
  return match !== null && !NOT_YET.test(text.slice(0, match.index + match[0].length));
}

function toolResult({ name, ok, result }: NonNullable<Utterance['toolCalls']>[number]): Outcome {
  const words = (result ?? '').replace(/\s+/g, ' ').trim();
  const shown = words === '' ? (ok ? 'done' : 'failed') : ok ? words : `failed: ${words}`;
  return { kind: 'TOOL_RESULT', evidence: cutShort(`${name}: ${shown}`, EVIDENCE) };
}

function evidenceOf(text: string, { names }: Participants): string {
  const sentence = asSentence(stripSpeech(text, names));
  return shorten(sentence, EVIDENCE, []) ?? cutShort(sentence, EVIDENCE);
}

const unique = (outcomes: readonly Outcome[]): Outcome[] => [
  ...new Map(outcomes.map((outcome) => [outcome.kind + outcome.evidence, outcome])).values(),
];
