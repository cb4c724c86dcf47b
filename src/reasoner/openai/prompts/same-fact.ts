import { cutText } from '../../../language/text/tokens.ts';
import { sameFactShapes } from '../../reasoner.ts';
import { fence, prompt } from './prompt.ts';

/** Decides whether two statements are about the same fact (requirements 9.16). */
export const sameFactPrompt = prompt({
  step: 'same-fact',
  task: `Two statements about a user: one is known, one is new. Do they state the same fact, perhaps with another value, so that
  the new one should take the place of the known one?
"Luna is 3" and "Luna turned 4": yes. "Likes tea" and "likes coffee": no, both can hold.
- same: true or false. confidence: 0 to 1.`,
  reply: sameFactShapes.output,
  write: ({ known, candidate }, tokens) =>
    [known, candidate]
      .map(
        (text, index) =>
          `${index === 0 ? 'Known' : 'New'}:\n${fence('statement', cutText(text, tokens / 2))}`,
      )
      .join('\n'),
  read: (reply) => reply,
});
