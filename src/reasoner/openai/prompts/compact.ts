import { compactShapes, type StepOutput } from '../../reasoner.ts';
import { HEADING_RULES } from './describe-segment.ts';
import { DATES } from './person.ts';
import { fence, prompt, writeTurns } from './prompt.ts';

export const DETAIL_RULES = `- meso: one paragraph with the important details: people, places, numbers, dates, decisions, open points.
- macro: patterns that outlast this conversation: what it shows about how the person thinks, works or decides. Empty if it shows none.
- skills: procedures that worked and can be used again. name: 2 to 6 words; description: when to use it and how, one or two
  sentences; evidence: the numbers of the turns that show it. None is fine.`;

/** Returns what is wrong with the evidence of skills; empty if nothing is. */
export const checkEvidence = (
  skills: StepOutput<'compact'>['skills'],
  turns: readonly unknown[],
): string[] =>
  skills.flatMap(({ evidence }) =>
    evidence.filter((index) => index >= turns.length).map((index) => `there is no turn ${index}`),
  );

/** Writes the micro, meso and macro summary, and finds skills (requirements 8.2). */
export const compactPrompt = prompt({
  step: 'compact',
  task: `Compress a conversation so that it can be worked with later.
- heading:
${HEADING_RULES.replaceAll(/^/gm, '  ')}
- micro: 1 to 3 sentences: what it was about and what came of it.
${DETAIL_RULES}
Third person, past tense, no greetings, tool traces or boilerplate.
${DATES}
Write in the language of the conversation.`,
  reply: compactShapes.output.extend({
    heading: compactShapes.output.shape.heading.unwrap().unwrap(),
  }),
  write: ({ turns, timeZone }, tokens) => fence('turns', writeTurns(turns, tokens, { timeZone })),
  check: ({ skills }, { turns }) => checkEvidence(skills, turns),
  read: (reply) => reply,
});
