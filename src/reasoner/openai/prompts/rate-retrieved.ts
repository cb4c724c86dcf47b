import { rateRetrievedShapes } from '../../reasoner.ts';
import { fence, prompt, writeItems, writeTurns } from './prompt.ts';

/** Rates how useful each memory was to the conversation that followed (requirements 7.4). */
export const rateRetrievedPrompt = prompt({
  step: 'rate-retrieved',
  task: `Some memories were put before an assistant; then a conversation went on. Rate how useful each memory was, by what was actually said.
- ratings: one for each memory, in their order. AGAIN: not used. HARD: only tangential. GOOD: visibly used. EASY: the conversation stood on it.`,
  reply: rateRetrievedShapes.output,
  write: ({ memories, turns }, tokens) =>
    [
      fence(
        'memories',
        writeItems(
          memories.map(({ text }) => text),
          tokens / 2,
        ),
      ),
      fence('turns', writeTurns(turns, tokens / 2)),
    ].join('\n'),
  check: ({ ratings }, { memories }) =>
    ratings.length === memories.length
      ? []
      : [`there are ${memories.length} memories and ${ratings.length} ratings`],
  read: (reply) => reply,
});
