import { findBoundaries } from '../../reasoner.ts';
import { fence, prompt, writeTurns } from '../prompt.ts';

/** Where new topics begin (seed 001, topic channel). */
export const findBoundariesPrompt = prompt({
  step: 'find-boundaries',
  task: `Find the turns of a conversation that open a new topic or a new activity.
A turn opens a new topic when what is talked about changes (another subject, another request, another goal), not when one detail follows another. Greetings, thanks and short replies belong to what they reply to. Phrases such as "by the way", "another thing" and long pauses are hints.
- boundaries: for each such turn its number (index) and how sure you are (confidence, 0 to 1). Ascending, each once, never turn 0. None is fine.`,
  reply: findBoundaries.output,
  write: ({ turns }, tokens) => fence('turns', writeTurns(turns, tokens)),
  check: ({ boundaries }, { turns }) =>
    boundaries.flatMap(({ index }, position) => {
      if (index < 1 || index >= turns.length)
        return [`index ${index} is not between 1 and ${turns.length - 1}`];
      const before = boundaries[position - 1];
      return before && before.index >= index ? [`index ${index} does not ascend`] : [];
    }),
  read: (reply) => reply,
});
