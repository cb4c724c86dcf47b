import { pattern } from '../text/pattern.ts';

/** How many characters of a turn are read: people request, give or confirm something at the beginning. */
const READ = 2_000;

const plain = (text: string): string =>
  text.slice(0, READ).replaceAll('’', "'").replace(/\s+/g, ' ');

/** Asks for a recap, or to keep one: "Let's sum up where we are", "keep that list"; not "summarize this article". */
const RECAP = pattern('i')`
  \b(?:recap|sum(?:ming)? (?:it |this |that |things |everything )?up|summari[sz]e (?:what|where|how|our|us|it|that
  |the (?:plan|decisions?|state|discussion|meeting))|(?:put|write|get
  |note) (?:it |this |that |everything |all )?down (?:what|where|how|our|the|all)|(?:go|run) (?:back )?(?:over
  |through) what|where (?:we|things) (?:are|stand)|what (?:we|you and i)(?:'ve| have|'d| had)? (?:agreed|decided
  |settled|said|planned|discussed)|(?:keep|save|remember|store) (?:that|this) (?:version|list|plan|summary
  |overview))\b
`;
/** States a fact so that the assistant notes it. */
const GIVES = pattern('i')`
  \b(?:just so you know|for your (?:records?|information)|fyi|(?:please |can you |could you )?(?:note|update|correct
  |change|replace|save|store|add|remember) (?:it|that|this|down|in|my|our|his|her|their|the (?:number|address|name
  |mail|email|phone|birthday|date)|i|we)\b|my new (?:e-?mail|phone|number|address|name|plate|mobile|job title|pin)
  |(?:e-?mail|phone|number|address|surname|last name|mobile)\b.{0,20} (?:has |have )?(?:changed|is now|is new)
  |for the (?:record|file|profile)|in case (?:you(?:'re| are)? (?:need|want|wonder|wondering|ask|asking|forget|ever)
  |(?:that|it)(?:'s| is| becomes)? (?:helps?|matters?|comes up|needed|useful|relevant|important)))\b
  |(?:^|[.!?,;:] |\bplease )(?:note|remember)(?: that)?(?: please)?[.!]?$
`;
/** Asks for somebody's details or preferences. */
const ASKS_PROFILE = pattern('i')`
  \b(?:what(?:'s| is) your|how (?:should|may|shall|can) i (?:call|address)|do you (?:prefer|like|want|use|take)
  |(?:which|what) (?!else|exactly)\w+ (?:should|do|would) (?:i|you)(?! think)|what (?:do|would) you (?:prefer|like
  |want|use|take|go by|drink|eat|drive|wear|do for a living)|what should i (?:call|note|put|save|store|write|know
  |remember)|your (?:name|birthday|address|e-?mail|language|time zone))\b|^\w+(?: \w+)? or \w+(?: \w+)?\?$
`;
/** Confirms that the assistant has noted something. */
const ACKNOWLEDGES = pattern('i')`
  \b(?:(?:it's|that's|it is|is|all|duly) (?:noted|saved|stored|updated|recorded|changed)|i(?:'ve| have|'ll
  | will) (?:just )?(?:now )?(?:noted?|updated?|changed?|replaced?|removed?|saved?|stored?|corrected?|correct
  |remember(?:ed)?|recorded?|(?:keep|kept) (?:that|it) in mind|(?:put|made a note|add(?:ed)?) (?:that|it|of|her|him
  |them|this)))\b|^(?:noted|saved|stored|updated|corrected|recorded|changed|got it|understood)\b|\b(?:noted|saved
  |updated|corrected|recorded)[.!]*$
`;

/** Whether a text asks for a recap of the conversation. */
export const asksForRecap = (text: string): boolean => RECAP.test(plain(text));

/** Whether a text states a fact so that the assistant notes it. */
export const givesFact = (text: string): boolean => GIVES.test(plain(text));

/** Whether a text asks for the other person's details or preferences. */
export const asksForProfile = (text: string): boolean => ASKS_PROFILE.test(plain(text));

/** Whether an assistant confirms that it has noted something. */
export const isAcknowledgement = (text: string): boolean => ACKNOWLEDGES.test(plain(text));
