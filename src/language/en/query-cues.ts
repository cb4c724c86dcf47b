import { pattern } from '../text/pattern.ts';
import { termsOf } from '../text/terms.ts';

const TIME = /\bwhen\b|\bhow (?:long|often)\b|\b(?:what|which) (?:year|month|day|date|time)\b/i;
const REPLY = pattern('i')`
  \byou (?:say|said|suggest|suggested|recommend|recommended|propose|proposed|tell|told|give|gave|write|wrote|explain
  |explained|advise|advised|mention|mentioned|list|listed|answer|answered|come up|came up)\b|\b(?:your
  |assistant's) (?:advice|suggestions?|recommendations?|answers?|ideas?|list|tips?|draft|reply)\b|\bthe assistant\b
`;

/** The terms of open questions: "what happened", "what did I do", "anything new". */
const OPEN_TERMS = new Set(
  termsOf(
    'anything everything something nothing happen happened new news thing things going go went do did done ' +
      'doing say said talk talked discussed discussion conversation',
  ).keys(),
);

const SPEAKERS = /\b(?:i|me|my|mine|we|us|our|ours|you|your|yours)\b/i;
/** A capitalised word that is not the first one. */
const NAME = /\S\s(?!I\b)\p{Lu}\p{L}/u;

/** Whether a query asks when or how long. */
export const asksForTime = (query: string): boolean => TIME.test(query);

/** Whether a query asks what the assistant said. */
export const asksForReply = (query: string): boolean => REPLY.test(query);

/** Whether a query with these terms is open ("what happened?") and names no topic. */
export const asksForAnything = (terms: readonly string[]): boolean =>
  terms.every((term) => OPEN_TERMS.has(term));

/** Whether a query is about the user or the assistant: "What did I …?" */
export const isAboutSpeakers = (query: string): boolean => SPEAKERS.test(query);

/** Whether a query names somebody or something by a proper name. */
export const namesSomeone = (query: string): boolean => NAME.test(query);
