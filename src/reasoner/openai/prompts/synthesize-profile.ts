import { synthesizeProfile } from '../../reasoner.ts';
import { fence, prompt, writeItems } from '../prompt.ts';

/** How to work with this person (seed 003 §3). */
export const synthesizeProfilePrompt = prompt({
  step: 'synthesize-profile',
  task: `From all that is remembered of a person, write how to work with this person: a profile that another assistant can act on.
- communication: how they like to be talked to: length, tone, language, format.
- technical: tools, languages, standards, and what they reject.
- workPattern: how and when they work, decide and plan.
- personalContext: what is good to know about their life.
- prose: all of it as one coherent text, third person, without headings.
Say only what the memories support; leave a section empty rather than guess. Where they disagree the later one holds.`,
  reply: synthesizeProfile.output,
  write: ({ memories }, tokens) =>
    fence(
      'memories',
      writeItems(
        memories.map(({ summary }) => summary),
        tokens,
      ),
    ),
  read: (reply) => reply,
});
