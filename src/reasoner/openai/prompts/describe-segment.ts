import { describeSegmentShapes } from '../../reasoner.ts';
import { DATES } from './person.ts';
import { fence, prompt, writeTurns } from './prompt.ts';

export const HEADING_RULES = `- title: 5 to 15 words that tell it apart from other conversations.
- topic: what was discussed, a noun phrase that fits "we discussed …".
- approach: how it was dealt with, one short clause; empty if it was not.`;

export const DESCRIPTION_RULES = `${HEADING_RULES}
- summary: at most 50 words, third person, past tense. Name people, places, things, numbers and dates. No greetings, tool traces or boilerplate.
- outcomes: what came of it. TOOL_RESULT: a tool did or found something. DECISION: somebody decided. NEXT_STEP: something is to
  be done. MILESTONE: something was achieved. evidence = the words that show it. None is fine.
${DATES}
Write in the language of the conversation.`;

/** Writes title, summary, topic, approach and outcomes of a segment (requirements 5). */
export const describeSegmentPrompt = prompt({
  step: 'describe-segment',
  task: `Describe a part of a conversation for somebody who will look for it later.
${DESCRIPTION_RULES}`,
  reply: describeSegmentShapes.output,
  write: ({ turns, leftOut, timeZone }, tokens) =>
    fence(
      'turns',
      [
        ...(leftOut > 0
          ? [`[turns 0 to ${leftOut - 1} are left out here: there are too many]`]
          : []),
        writeTurns(turns, tokens, { first: leftOut, timeZone }),
      ].join('\n'),
    ),
  read: (reply) => reply,
});
