import { synthesizeProfileShapes } from '../../reasoner.ts';
import { DATES, dayIn, writePerson } from './person.ts';
import { fence, prompt, writeItems } from './prompt.ts';

/** Writes how to work with a person (requirements 10.10). */
export const synthesizeProfilePrompt = prompt({
  step: 'synthesize-profile',
  task: `From all that is remembered of a person, write how to work with this person: a profile that another assistant can act on.
- communication: how they like to be talked to: length, tone, language, format. Their standing instructions and preferences come first.
- technical: tools, languages, standards, and what they reject.
- workPattern: how and when they work, decide and plan.
- personalContext: what is good to know about their life: people, health and limits, goals.
- prose: all of it as one coherent text, third person, without headings.
The facts hold now. The memories tell what was so when they ended: where they disagree with a fact the fact holds, and of two
memories the later one. Say only what these support; leave a section empty rather than guess. What somebody else said of
themselves is not about this person.
${DATES}`,
  reply: synthesizeProfileShapes.output,
  write: ({ person, facts, memories }, tokens) =>
    [
      ...writePerson(person, facts, tokens / 2),
      fence(
        'memories',
        memories.length === 0
          ? '(none)'
          : writeItems(
              memories.map(({ summary, endedAt }) =>
                endedAt ? `${dayIn(endedAt, person)}: ${summary}` : summary,
              ),
              tokens / 2,
            ),
      ),
    ].join('\n'),
  check: ({ prose }) => (prose === '' ? ['the prose is empty'] : []),
  read: (reply) => reply,
});
