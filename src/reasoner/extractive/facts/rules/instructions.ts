import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, draft, phrase } from '../text/draft.ts';
import { deedOf, withoutTail } from '../text/phrases.ts';
import { hasInOrder } from '../text/trim.ts';
import { topicOf, VERB } from './instruction-topics.ts';

const ONCE = pattern('i')`
  \b(?:just|only) (?:this|for (?:this|that|now|today|once|a (?:moment|second|minute)|the (?:next|following)))\b
  |\b(?:for|in|on|with) (?:this|that|the next|the following|today's|this next)(?: (?:one|single|last|next|first
  |particular))? (?:answer|reply|question|response|message|e-?mail|letter|task|text|time|post|story|chat|paragraph
  |document|report|table|list|slide|talk|summary|essay|poem|case|round|recipe|draft|translation|project|presentation
  |invitation|exercise|speech|sentence|section|chart|script|function|file|review|conversation|session|thread)\b
  |\bfor (?:now|once|today|tonight|the moment|the time being)\b|\b(?:this|one) time(?: only)?\b|\bthis once\b
  |\bjust once\b|\btoday\b|\btonight\b|\bthis (?:morning|evening|afternoon|week)\b|\bfor the (?:next|rest of (?:this
  |the)) |\bin (?:this|that) (?:one|case)\b|\buntil (?:tomorrow|I say|later|friday|monday)\b|\bfor a change\b
`;

/** "from now on" */
export const FROM_NOW_ON = source`
  (?:from (?:now|here|this point|today|there) (?:on(?:wards?)?|forward)|(?:going|moving) forward|in (?:the )?future)
`;
const STANDING_FRONT = source`
  (?:${FROM_NOW_ON}|for (?:the )?future(?: (?:reference|answers|replies|messages))?|henceforth|by default|as (?:a
  |the) (?:general )?(?:rule|default)|in general|generally|as a rule of thumb|every time|each time
  |in all (?:your |my |our )?(?:replies|answers|messages|chats|conversations|responses)|when (?:you )?(?:answer
  |answering|reply|replying|respond|responding|write|writing|talk|talking)(?: to me)?|for all (?:future |your |my )?
  (?:replies|answers|questions|requests|messages)|with me|permanently|standing (?:order|instruction|request|rule)
  |(?:a |one |new )?(?:house |general |ground )?rule(?: (?:for you|going forward))?)
`;
const WHENEVER = source`
  (?:(?:whenever|when|every time|each time|any time|anytime|wherever) |(?:if|if ever
  |as soon as) (?=I |you (?:do not know|are (?:not sure|unsure)|cite|quote|recommend|suggest|mention|write|show|use
  |give)))
`;
const LEAD = source`
  (?:(?:please|kindly|just|also|and|but|so|then|ok|okay|always|simply|do|could you|can you|would you|will you
  |I want you to|I would like you to|I need you to|I would prefer (?:it )?if you|I prefer that you|you should
  |you must|you can|you need to|you have to|try to|make sure (?:to|you|that you)|be sure to|remember to|feel free to
  |let us|let's|I expect you to|I want|you are to|make it a (?:rule|habit) to) ){0,6}
`;

const STANDING = pattern('i')`
  \b(?:always|never|ever|${FROM_NOW_ON}|for (?:the )?future|henceforth|by default|as (?:a|the) (?:general )?(?:rule
  |default)|in general|every time|each time|whenever|any ?time|in all|for all|with me|permanently|again|stop|no more
  |don't want|do not want|at all times|every (?:answer|reply|message|response|recipe|summary|list|single)|(?:all
  |in) (?:your|my|our) (?:answers|replies|messages|responses|chats|future)|your (?:answers|replies|responses
  |messages|explanations)|generally|rule)\b
`;

const NEGATION =
  /^(?:avoid|skip|stop|quit|leave o(?:ut|ff)|drop|omit|spare me|refrain from|cut(?: out)?|no(?: more)?)\s/i;

const PART_END = pattern('i')`
  [,:!?()⟨⟩]|;(?=\s)|\.(?=\s|$)|\s[-–—]+\s|\s(?:because|since|but|although|though|unless|as I|so (?:I|that I|we)
  |and (?:I|then|my)|can you|could you|I (?:need|am|have|find|hate|prefer|like))\b
`;

/** The instruction in a text, without its reason. */
const orderOf = (text: string): string => {
  const [order = ''] = text.split(PART_END);
  return withoutTail(order);
};

function instruct(
  deedText: string,
  isNegative: boolean,
  clause: Clause,
  trigger = '',
): Draft | null {
  const deed = orderOf(deedText);
  if (/^\w+ (?:it|them|this|that|those|these|so)(?: \w+)?$/i.test(deed)) return null;
  if (deed.length < 3 || deed.split(' ').length > 40) return null;
  const value =
    withoutTail(
      isNegative
        ? deed.replace(/^(?:use|give me|send me|add|include|put|write) (?=(?:any )?\S)/i, '')
        : deed,
    ) || deed;
  return draft('INSTRUCTION', {
    key: topicOf(deed),
    value,
    statement: `The user wants the assistant ${isNegative ? 'not ' : ''}to: ${deed}${trigger === '' ? '' : ` (${trigger})`}.`,
    polarity: isNegative ? 'NEGATIVE' : 'POSITIVE',
    scope: trigger === '' ? null : trigger,
    importance: 0.8,
    isCorrection: clause.isCorrection || / again\b/.test(deedText),
  });
}

const COMMAND = phrase(
  source`
    ${LEAD}(?<neg>(?:never(?: ever)?|do not(?: ever)?|don't(?: ever)?|not to|not) )?(?:(?:always|ever|please|just
    |only|also|to|again|either|instead) ){0,4}(?<deed>${VERB}\b.*)
  `,
);
const STOPPING = phrase(
  source`
    ${LEAD}(?:stop|quit|refrain from|no more|enough with|cease|lay off|drop|skip|avoid|leave out|leave off|cut out
    |spare me|cut) (?:with )?(?:the |all the |all |any )?(?<deed>.+)
  `,
);
const NO_THING = phrase(
  source`
    (?:please )?(?:no more|no|zero|without) (?<deed>[^,.;!?]+?)(?: please| thanks)?(?: (?:from (?:now
    |here) on(?:wards)?|going forward|in (?:the )?future|ever(?: again)?|with me|for me|in (?:your|my
    |the) (?:answers|replies|messages|responses|chats))(?: please)?)?(?=[,.;!?]|$)
  `,
);
const WISH = phrase(
  source`
    (?:please )?(?:I|we) ~(?:would )?(?<neg>do not |never |no longer |would not )?(?:ever )?(?:want|like|need|prefer
    |appreciate|expect|would prefer|wish for|wish to see|want to see|see) (?:to (?:get|see|have
    |read) |getting |seeing )?(?<deed>(?:any |more |only |you to |your |all |the ){0,4}.+)
  `,
);
const OUTPUT = pattern('i')`
  \b(?:answers?|replies|reply|responses?|explanations?|messages|emojis?|bullet ?points?|summaries|code|spelling
  |units|tone|jargon|exclamation marks?|lists?|tables?|sources|recommendations|suggestions|apologies|disclaimers
  |small talk|flattery|markdown|caveats|pleasantries|metric|celsius|sentences)\b
`;
const KEEP = phrase(
  `${LEAD}(?:keep|make) (?:all |all of )?(?:your|the|my) (?:answers|replies|responses|messages|explanations|summaries|tone) (?<deed>.+)`,
);
const TRAIL = source`
  (?:${FROM_NOW_ON}|always|by default|every time|each time|at all times|for all (?:future )?\w+|(?:whenever
  |every time|each time) (?:I|you|we) .+|(?<=\S )when you (?:talk|write|answer|explain|show|give|send|quote|mention
  |reply|recommend|suggest|list|cite|summari[sz]e)\b[^,]*)
`;

/** Not an instruction to the assistant: what others do, what happened, what the user does. */
const NOT_TO_ASSISTANT = pattern('i')`
  ^(?:let (?:me|us) know|(?:never|do not ever|always|do not) (?:give up|say never|quit (?!using|adding)
  |stop (?:believing|dreaming|learning|trying)|lose|underestimate|look back|try (?:something|new)|let (?:them|anyone
  |it)|settle|be afraid|remember|keep (?:going|trying))|never mind|never thought|never said|never been|never had
  |never knew|never heard|always (?:have|had|been|was|wondered|wanted|thought|do|did|will)|do not (?:worry|bother
  |know|mind|have|think|care|understand|remember|see|get me wrong|you|want|need|like|forget|judge|laugh
  |ask(?: me)? (?:why|how)|even|really|I)|no (?:worries|problem|idea|wonder|one|longer|way|need|thanks|rush|hurry
  |offen[cs]e|matter|doubt|clue|luck|kidding|joke|pressure|such|but|wait|that|it|not|I|you|sorry|reply
  |answer(?: from)?|response(?: from)?)|stop (?:by|it|this|that|the|there|here|me|now)|(?:do|go|be|get|let|try|think
  |work|help|set|start|check|read|save|book) (?:you|I|we)\b)
`;

const STANDS_FIRST = new RegExp(
  `^(?:(?:and|so|but|ok|okay|please|also|one more thing|then) ){0,4}${STANDING_FRONT}[,: ]+(?:on,? )?(?:please )?`,
  'i',
);
const ENDS_WITH_TRAIL = new RegExp(`\\b${TRAIL}$`, 'i');

/** Reads standing instructions about how the assistant works. One-off requests are left out. */
export function readInstructions(clause: Clause): Draft[] {
  const { sentence, text } = clause;
  if (
    ONCE.test(
      sentence.replace(/\bfor the (?:future|next time)\b|\bfrom today(?: on(?:wards?)?)?\b/gi, ''),
    )
  )
    return [];
  const front = STANDS_FIRST.exec(text)?.[0];
  const body = front ? text.slice(front.length) : text;
  const trigger = triggerOf(front ? body : text);
  const rest = trigger ? trigger.rest : body;
  const found = command(
    { ...clause, text: rest },
    front !== undefined || trigger !== null || isStanding(rest, sentence),
    trigger?.when ?? '',
  );
  return found ? [found] : [];
}

const NOT_IN_GENERAL = pattern('i')`
  \b(?:would|could|had|were|them|him|her|this|that|tomorrow|tonight|today|done|ready|finished|find|found|have (?:one
  |it|something|the)|get (?:it|the|there|back))\b
`;

/** Splits "whenever you show me code, …" into the condition and the instruction. */
function triggerOf(text: string): { when: string; rest: string } | null {
  const found = BEFORE_A_STOP.exec(text) ?? BEFORE_A_VERB.exec(text);
  const [, when = '', rest = ''] = found ?? [];
  const isMine = /\b(?:I|you|we|me|my|your|it is|there (?:is|are))\b/i.test(when);
  const isOnce = NOT_IN_GENERAL.test(when);
  return rest === '' || !isMine || isOnce ? null : { when, rest };
}
const BEFORE_A_STOP = new RegExp(
  `^(?:(?:and|so|but|also|please) ){0,4}(${WHENEVER}[^,;:!?]{3,90}?)(?:,|;|:| then(?= )| please(?= )) *(\\S.*)`,
  'i',
);
const BEFORE_A_VERB = new RegExp(
  source`
    ^(?:(?:and|so|but|also|please) ){0,4}(${WHENEVER}(?:I|you) [^,;:!?]{3,80}?)(?= (?:always|never|do not|use|write
    |give|include|add|keep|list|answer|put|start|make) ) (.+)
  `,
  'i',
);

const ORDER_LEAD = pattern('i')`
  ^(?:(?:please|just|so|and|but|you should|you must|you can|kindly|could you|can you|I want you to|make sure(?: to
  | you)?|remember to|do(?! not)) ){0,4}(?:always|never|do not ever|don't ever|stop|no more|quit|refrain)\b
`;

const LASTING = pattern('i')`
  \\b(?:${FROM_NOW_ON}|at all times|with me|when (?:you )?(?:are )?(?:writ|talk|repl|answer|speak)\w* (?:to )?me)\b
`;

const isStanding = (text: string, sentence: string): boolean =>
  /^you (?:can|may) .* again\b/i.test(text) ||
  ORDER_LEAD.test(text) ||
  ENDS_WITH_TRAIL.test(trimEndOf(sentence, /[.!]/)) ||
  LASTING.test(sentence) ||
  /\b(?:keep|make) (?:all )?your (?:answers|replies|responses|messages|explanations)\b/i.test(text);

const CUE = pattern('i')`
  \b(?:${FROM_NOW_ON}|with me|ever|please|for me|always|never)\b
`;
function command(clause: Clause, standing: boolean, when: string): Draft | null {
  const { text } = clause;
  if (NOT_TO_ASSISTANT.test(text) || /^(?:\w+ )?(?:call|address) me\b/i.test(text)) return null;
  if (/^(?:please )?(?:no|zero)\b/i.test(text)) return unwanted(clause, standing, when);
  const wish = WISH.exec(text)?.groups;
  if (wish) return wished(wish, standing, clause, when);
  return standing ? ordered(clause, when) : null;
}

/** Reads "no more emojis". */
function unwanted(clause: Clause, standing: boolean, when: string): Draft | null {
  const { text } = clause;
  const thing = NO_THING.exec(text)?.groups?.deed ?? '';
  const isStyle = OUTPUT.test(thing) || CUE.test(text);
  const isKept = STANDING.test(text) || (standing && /^(?:please )?no more/i.test(text));
  return thing !== '' && isStyle && isKept ? instruct(thing, true, clause, when) : null;
}

/** Reads "keep your answers short", "stop using emojis", "never apologise". */
function ordered(clause: Clause, when: string): Draft | null {
  const { text } = clause;
  const kept = KEEP.exec(text)?.groups?.deed;
  if (kept) return instruct(`keep answers ${kept}`, false, clause, when);
  const stopped = STOPPING.exec(text)?.groups?.deed;
  if (stopped) {
    const thing = stopped.replace(/^(?:using|adding|giving|sending|putting) (?:me )?/i, '');
    return instruct(thing, true, clause, when);
  }
  const { neg, deed } = COMMAND.exec(text)?.groups ?? {};
  if (deed === undefined) return null;
  if (!neg && /^(?:I|we) /.test(text) && !/\byou\b/.test(text.slice(0, 40))) return null;
  const isNegative = neg !== undefined || NEGATION.test(deed);
  return instruct(deed, isNegative, clause, when);
}

/** Reads a wish about what the assistant writes: "I want short answers". */
function wished(
  groups: Record<string, string | undefined>,
  standing: boolean,
  clause: Clause,
  when: string,
): Draft | null {
  const deed = groups.deed ?? '';
  const toYou = /^(?:you to|(?:it )?if you(?: would| could)?) (?:always |never )?(.+)/i.exec(deed);
  const isStanding = standing || /\b(?:always|never|ever|from now on)\b/i.test(clause.text);
  const isNegative = groups.neg !== undefined || /^you to never /i.test(deed);
  if (toYou) return isStanding ? instruct(toYou[1] ?? '', isNegative, clause, when) : null;
  const object = deedOf(deed);
  const isStyle = OUTPUT.test(object) || / (?:from now on|going forward)/.test(clause.own);
  const isGeneral = hasInOrder(
    object,
    /\b(?:short|brief|concise|long|detailed|one-line|direct|blunt|formal|simple|honest|plain|straight|informal|step-by-step|thorough)\b/i,
    /\b(?:answers|replies|responses|explanations|summaries|messages)\b/i,
  );
  if (!(isStanding && isStyle) && !isGeneral) return null;
  if (!isStanding && ONE_THING.test(object)) return null;
  return instruct(object.replace(/^any /, ''), isNegative, clause, when);
}

const ONE_THING =
  /^(?:a|an|the|this|that|your (?:help|opinion|advice)|some|to|one|two|three|it)\b/i;
