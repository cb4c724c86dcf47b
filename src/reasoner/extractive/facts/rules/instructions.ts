import { WEEKDAY } from '../../../../language/en/time/named-date.ts';
import { pattern, source } from '../../../../language/text/pattern.ts';
import { trimEndOf } from '../../../../language/text/trim-end.ts';
import type { Clause } from '../text/clauses.ts';
import { type Draft, draft, phrase } from '../text/draft.ts';
import { deedOf, hasInOrder, withoutTail } from '../text/phrases.ts';
import { topicOf, VERB } from './instruction-topics.ts';

/** Says of a request that it is for one occasion. */
const ONCE = pattern('i')`
  \b(?:just|only) (?:this|once|for (?:now|a (?:moment|second|minute)))\b|\b(?:for|in|on|with) (?:this|that|the (?:next
  |following)|today's) |\bfor (?:this|that|now|once|the (?:moment|time being|rest of)|a change)\b|\b(?:this
  |one) time\b|\bthis (?:once|morning|evening|afternoon|week)\b|\b(?:today|tonight)\b|\buntil (?:tomorrow|I say|later
  |${WEEKDAY})\b
`;

/** Says of a request that it holds for good: "from now on". */
const FOR_GOOD = source`
  (?:from (?:now|here|this point|today|there) (?:on(?:wards?)?|forward)|(?:going|moving) forward|(?:in
  |for) (?:the )?future|henceforth|by default|as (?:a|the) (?:general )?(?:rule|default)|in general|generally
  |permanently|at all times|with me|(?:every|each) time|(?:in|for) all (?:future |your |my |our )?(?:replies|answers
  |messages|chats|conversations|responses|questions|requests))
`;
/** Words that ask for something more than once, wherever they stand. */
export const CUE_FOR_GOOD = pattern('i')`\b(?:${FOR_GOOD}|always|never|ever|whenever)\b`;
const STANDING_FRONT = source`
  (?:${FOR_GOOD}|when (?:you )?(?:answer|reply|respond|write|talk)(?:ing)?(?: to me)?|standing (?:order|instruction
  |request)|(?:a |one |new )?(?:standing |house |general |ground )?rule(?: for you)?)
`;
const WHENEVER = source`
  (?:(?:whenever|when|every time|each time|any time|anytime|wherever) |(?:if|if ever
  |as soon as) (?=I |you (?:do not know|are (?:not sure|unsure)|cite|quote|recommend|suggest|mention|write|show|use
  |give)))
`;
const LEAD = source`
  (?:(?:please|kindly|just|also|and|but|so|then|ok|okay|always|simply|do|could you|can you|would you|will you
  |I want you to|I would like you to|I need you to|I would prefer (?:it )?if you|I prefer that you|you should|you must
  |you can|you need to|you have to|try to|make sure (?:to|you|that you)|be sure to|remember to|feel free to|let us
  |let's|I expect you to|I want|you are to|make it a (?:rule|habit) to) ){0,6}
`;

const EVERY_ANSWER =
  /\b(?:no more|again|(?:every|your) (?:answers?|reply|replies|responses?|messages?|explanations?))\b/i;

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

const STARTS_WITH_VERB = new RegExp(`^(?:${VERB}|[\\p{L}]+ing)\\b`, 'iu');

/** A clause that may ask something of the assistant. */
type Request = Clause & {
  /** Whether its words say that it holds for good. */
  standing: boolean;
  /** When it applies: "whenever you show me code"; empty if always. */
  when: string;
};

function instruct(text: string, isNegative: boolean, { when, isCorrection }: Request) {
  const deed = orderOf(text);
  if (/^\w+ (?:it|them|this|that|those|these|so)(?: \w+)?$/i.test(deed)) return null;
  if (deed.length < 3 || deed.split(' ').length > 40) return null;
  const isThing = isNegative && !STARTS_WITH_VERB.test(deed);
  const asked = isThing ? 'wants no' : `wants the assistant ${isNegative ? 'not ' : ''}to:`;
  const verb = isNegative ? /^(?:use|give me|send me|add|include|put|write) (?=(?:any )?\S)/i : '';
  return draft('INSTRUCTION', {
    key: topicOf(deed),
    value: withoutTail(deed.replace(verb, '').replace(/ (?:with|for) me$/, '')) || deed,
    statement: `The user ${asked} ${deed}${when && ` (${when})`}.`,
    polarity: isNegative ? 'NEGATIVE' : 'POSITIVE',
    scope: when || null,
    importance: 0.8,
    isCorrection: isCorrection || / again\b/.test(text),
  });
}

const COMMAND = phrase`
  ${LEAD}(?<neg>(?:never(?: ever)?|do not(?: ever)?|don't(?: ever)?|not to|not) )?(?:(?:always|ever|please|just
  |only|also|to|again|either|instead) ){0,4}(?<deed>${VERB}\b.*)
`;
const STOPPING = phrase`
  ${LEAD}(?:stop|quit|refrain from|no more|enough with|cease|lay off|drop|skip|avoid|leave out|leave off|cut out
  |spare me|cut) (?:with )?(?:the |all the |all |any )?(?<deed>.+)
`;
const NO_THING = phrase`
  (?:please )?(?:no more|no|zero|without) (?<deed>[^,.;!?]+?)(?: please| thanks)?(?: (?:${FOR_GOOD}|ever(?: again)?
  |for me|in (?:your|my|the) (?:answers|replies|messages|responses|chats))(?: please)?)?(?=[,.;!?]|$)
`;
const WISH = phrase`
  (?:please )?(?:I|we) ~(?:would )?(?<neg>do not |never |no longer |would not )?(?:ever )?(?:want|like|need|prefer
  |appreciate|expect|would prefer|wish for|wish to see|want to see|see) (?:to (?:get|see|have
  |read) |getting |seeing )?(?<deed>(?:any |more |only |you to |your |all |the ){0,4}.+)
`;
const OUTPUT = pattern('i')`
  \b(?:answers?|replies|reply|responses?|explanations?|messages|emojis?|bullet ?points?|summaries|code|spelling|units
  |tone|jargon|exclamation marks?|lists?|tables?|sources|recommendations|suggestions|apologies|disclaimers|small talk
  |flattery|markdown|caveats|pleasantries|metric|celsius|sentences)\b
`;
const KEEP = phrase`
  ${LEAD}(?:(?:keep|make) (?:all |all of )?(?:your|the|my)|keep(?= \p{L}+ (?:really |very |as ){0,2}(?:short|brief|concise|simple
  |plain|formal|informal|casual|to the point|under|below))) (?:answers|replies|responses|messages|explanations|summaries
  |tone) (?<deed>.+)
`;
const TRAIL = source`
  (?:${FOR_GOOD}|always|for all (?:future )?\w+|(?:whenever|every time|each time) (?:I|you|we) .+|(?<=\S )when you
  (?:talk|write|answer|explain|show|give|send|quote|mention|reply|recommend|suggest|list|cite|summari[sz]e)\b[^,]*)
`;

/** Not an instruction to the assistant: what others do, what happened, what the user does. */
const NOT_TO_ASSISTANT = pattern('i')`
  ^(?:let (?:me|us) know|(?:never|always|do not)(?: ever)? (?:give up|say never|quit (?!using|adding)
  |stop (?:believing|dreaming|learning|trying)|lose|underestimate|look back|try (?:something|new)|let (?:them|anyone
  |it)|settle|be afraid|remember|keep (?:going|trying)|mind|thought|said|been|had|knew|heard|was|wondered|wanted|did)
  |always (?:have|do|will)|do not (?:worry|bother|know|think|care|understand|see|get me wrong|you|want|need|like
  |forget|judge|laugh|ask(?: me)? (?:why|how)|even|really|I)|no (?:worries|problem|idea|wonder|one|longer|way|need
  |thanks|rush|hurry|offen[cs]e|matter|doubt|clue|luck|kidding|joke|pressure|such|but|wait|that|it|not|I|you|sorry
  |reply|answer|response)|stop (?:by|it|this|that|the|there|here|me|now)|(?:do|go|be|get|let|try|think|work|help|set
  |start|check|read|save|book) (?:you|I|we)\b)
`;

const STANDS_FIRST = new RegExp(
  `^(?:(?:and|so|but|ok|okay|please|also|one more thing|then) ){0,4}${STANDING_FRONT}[,: ]+(?:on,? )?(?:please )?`,
  'i',
);
const ENDS_WITH_TRAIL = new RegExp(`\\b${TRAIL}$`, 'i');

/** Reads standing instructions about how the assistant works. One-off requests are left out. */
export function readInstructions(clause: Clause): Draft[] {
  const { sentence, text } = clause;
  if (ONCE.test(sentence.replace(/\bfor the next time\b|\bfrom today\b/gi, ''))) return [];
  const [front = ''] = STANDS_FIRST.exec(text) ?? [];
  const body = text.slice(front.length);
  const { when, rest } = triggerOf(body);
  const standing = front !== '' || when !== '' || isStanding(rest, sentence);
  return [instructionIn({ ...clause, text: rest, standing, when }) ?? []].flat();
}

const NOT_IN_GENERAL = pattern('i')`
  \b(?:would|could|had|were|them|him|her|this|that|tomorrow|tonight|today|done|ready|finished|find|found|have (?:one
  |it|something|the)|get (?:it|the|there|back))\b
`;

/** Splits "whenever you show me code, …" into the condition and the instruction. Without a condition `when` is empty. */
function triggerOf(text: string): { when: string; rest: string } {
  const found = BEFORE_A_STOP.exec(text) ?? BEFORE_A_VERB.exec(text);
  const [, when = '', rest = ''] = found ?? [];
  const isMine = /\b(?:I|you|we|me|my|your|it is|there (?:is|are))\b/i.test(when);
  return isMine && rest !== '' && !NOT_IN_GENERAL.test(when)
    ? { when, rest }
    : { when: '', rest: text };
}
const BEFORE_A_STOP = new RegExp(
  `^(?:(?:and|so|but|also|please) ){0,4}(${WHENEVER}[^,;:!?]{3,90}?)(?:,|;|:| then(?= )| please(?= )) *(\\S.*)`,
  'i',
);
const BEFORE_A_VERB = pattern('i')`
  ^(?:(?:and|so|but|also|please) ){0,4}(${WHENEVER}(?:I|you) [^,;:!?]{3,80}?)(?= (?:always|never|do not|use|write|give
  |include|add|keep|list|answer|put|start|make) ) (.+)
`;

const ORDER_LEAD = pattern('i')`
  ^(?:(?:please|just|so|and|but|you should|you must|you can|kindly|could you|can you|I want you to|make sure(?: to
  | you)?|remember to|do(?! not)) ){0,4}(?:always|never|do not ever|don't ever|stop|no more|quit|refrain)\b
`;

const isStanding = (text: string, sentence: string): boolean =>
  /^you (?:can|may) .* again\b/i.test(text) ||
  ORDER_LEAD.test(text) ||
  ENDS_WITH_TRAIL.test(trimEndOf(sentence, /[.!]/)) ||
  (KEEP.test(text) && /\byour\b|^(?:please )?keep (?!the|my)/i.test(text));

function instructionIn(request: Request): Draft | null {
  const { text, standing } = request;
  if (NOT_TO_ASSISTANT.test(text) || /^(?:\w+ )?(?:call|address) me\b/i.test(text)) return null;
  if (/^(?:please )?(?:no|zero)\b/i.test(text)) return unwanted(request);
  const wish = WISH.exec(text)?.groups;
  if (wish) return wished(wish, request);
  return standing ? ordered(request) : null;
}

/** Reads "no more emojis". */
function unwanted(request: Request): Draft | null {
  const { text } = request;
  const thing = NO_THING.exec(text)?.groups?.deed ?? '';
  const isForGood = CUE_FOR_GOOD.test(text);
  const isStyle = isForGood || OUTPUT.test(thing) || /\b(?:please|for me)\b/i.test(text);
  const isKept = isForGood || EVERY_ANSWER.test(text);
  return thing !== '' && isStyle && isKept ? instruct(thing, true, request) : null;
}

/** Reads "keep your answers short", "stop using emojis", "never apologise". */
function ordered(request: Request): Draft | null {
  const { text } = request;
  const kept = KEEP.exec(text)?.groups?.deed;
  if (kept) return instruct(`keep answers ${kept}`, false, request);
  const stopped = STOPPING.exec(text)?.groups?.deed;
  if (stopped)
    return instruct(stopped.replace(/^(?:us|add|giv|send|putt)ing (?:me )?/i, ''), true, request);
  const { neg, deed } = COMMAND.exec(text)?.groups ?? {};
  if (deed === undefined) return null;
  if (!neg && /^(?:I|we) /.test(text) && !/\byou\b/.test(text.slice(0, 40))) return null;
  return instruct(deed, neg !== undefined || NEGATION.test(deed), request);
}

/** Reads a wish about what the assistant writes: "I want short answers". */
function wished({ deed = '', neg }: Record<string, string | undefined>, request: Request) {
  const toYou = /^(?:you to|(?:it )?if you(?: would| could)?) (?:always |never )?(.+)/i.exec(deed);
  const isStanding = request.standing || CUE_FOR_GOOD.test(request.text);
  const isNegative = neg !== undefined || /^you to never /i.test(deed);
  if (toYou) return isStanding ? instruct(toYou[1] ?? '', isNegative, request) : null;
  const object = deedOf(deed);
  const isStyle = OUTPUT.test(object) || / (?:from now on|going forward)/.test(request.own);
  const isGeneral = hasInOrder(
    object,
    /\b(?:short|brief|concise|long|detailed|one-line|direct|blunt|formal|simple|honest|plain|straight|informal|step-by-step|thorough)\b/i,
    /\b(?:answers|replies|responses|explanations|summaries|messages)\b/i,
  );
  const isMeant = isStanding ? isStyle || isGeneral : isGeneral && !ONE_THING.test(object);
  return isMeant ? instruct(object.replace(/^any /, ''), isNegative, request) : null;
}

const ONE_THING =
  /^(?:a|an|the|this|that|your (?:help|opinion|advice)|some|to|one|two|three|it)\b/i;
