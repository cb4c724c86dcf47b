import type { PromptSection } from '../../recall/prompt/prompt-budget.ts';
import { builder } from '../core/builder.ts';

export const ContextSectionType = builder.objectRef<PromptSection>('ContextSection').implement({
  description: 'A section of `ContextPayload.markdown`, the block for a prompt.',
  fields: (t) => ({
    name: t.field({
      type: builder.enumType('ContextSectionName', {
        description:
          'The sections of `ContextPayload.markdown`, which stand in the order KNOWN_FACTS, PROFILE, KNOWLEDGE, EPISODES, TURNS, CONTINUITY, WINDOW.',
        values: {
          FRAME: {
            description:
              'What stands around the other sections: the fence, the title and the closing line.',
          },
          KNOWN_FACTS: { description: 'The known facts, which are `ContextPayload.facts`.' },
          PROFILE: { description: 'How to work with the person: the profile.' },
          KNOWLEDGE: { description: 'Other facts, semantic memories and skills that were found.' },
          EPISODES: { description: 'Summaries of related threads, and episodes that were found.' },
          TURNS: { description: 'Turns that were found, by day.' },
          CONTINUITY: {
            description:
              'What connects the message with an earlier thread: a sentence, the last questions there with their answers, the message itself, and the pause.',
          },
          WINDOW: { description: 'The session window of the thread, which are its newest turns.' },
        } satisfies Record<PromptSection['name'], { description: string }>,
      }),
      description: 'Which section it is.',
      resolve: ({ name }) => name,
    }),
    tokens: t.exposeInt('tokens', {
      description: 'How many tokens it has, its heading included, by o200k_base.',
    }),
  }),
});
