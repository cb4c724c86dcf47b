import { cutText } from '../../../language/text/tokens.ts';
import { assessRelatednessShapes } from '../../reasoner.ts';
import { fence, prompt, writeTurns } from './prompt.ts';

/** Assesses whether earlier threads and a new message belong together (requirements 11.4). */
export const assessRelatednessPrompt = prompt({
  step: 'assess-relatedness',
  task: `Assess whether a person's new message continues, or is about the same matter as, earlier conversations. Judge each by itself. Explain your reasoning.
A follow-up may be short and leave out what it is about ("and on Thursday?"): ask whether the earlier conversation supplies what
is missing. Two conversations about the same general kind of thing are not related unless they concern the same matter.
For each conversation, in their order:
- related: true or false.
- confidence: 0 to 1.
- reasoning: one or two sentences.
- keySignals: what made you decide, a few words each.`,
  reply: assessRelatednessShapes.output,
  write: ({ threads, message, hints, timeZone }, tokens) =>
    [
      ...threads.map(({ summary, turns }) => {
        const room = tokens / threads.length;
        const summaryLine = `Summary: ${summary ? cutText(summary, room / 8) : '(none)'}`;
        return fence('thread', [summaryLine, writeTurns(turns, room / 2, { timeZone })].join('\n'));
      }),
      fence('message', writeTurns(message, tokens / 4, { timeZone })),
      ...(hints.length > 0 ? [`Look also at: ${hints.join(', ')}.`] : []),
    ].join('\n'),
  check: ({ assessments }, { threads }) =>
    assessments.length === threads.length
      ? []
      : [`${assessments.length} assessments of ${threads.length} conversations`],
  read: (reply) => reply,
});
