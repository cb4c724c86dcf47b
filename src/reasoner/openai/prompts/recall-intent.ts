import { cutText } from '../../../domain/tokens.ts';
import { recallIntent } from '../../reasoner.ts';
import { fence, prompt } from '../prompt.ts';

/** Whether a message asks for what was said before (seed 002). */
export const recallIntentPrompt = prompt({
  step: 'recall-intent',
  task: `Does a message ask to remember an earlier conversation ("remember what we talked about", "what did I tell you about")? A request to keep something in mind ("remember to buy milk") does not.
- recall: true or false. confidence: 0 to 1.`,
  reply: recallIntent.output,
  write: ({ message }, tokens) => fence('message', cutText(message, tokens)),
  read: (reply) => reply,
});
