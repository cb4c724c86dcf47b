import type { PromptSection } from '../../recall/prompt/prompt-budget.ts';
import { builder } from '../core/builder.ts';

export const ContextSectionType = builder.objectRef<PromptSection>('ContextSection').implement({
  description: 'One section of `ContextPayload.markdown`, and how many tokens it has.',
  fields: (t) => ({
    name: t.field({
      type: builder.enumType('ContextSectionName', {
        description:
          'The sections of `ContextPayload.markdown`. Within FRAME they stand in the order KNOWN_FACTS, PROFILE, ' +
          'KNOWLEDGE, EPISODES, TURNS, CONTINUITY, WINDOW.',
        values: {
          FRAME: {
            description:
              'What stands around the other sections: the fence, the title and the closing line.',
          },
          KNOWN_FACTS: { description: 'The known facts: those in `ContextPayload.facts`.' },
          PROFILE: {
            description:
              'How to work with the person: the profile, without statements of facts that were found for the message.',
          },
          KNOWLEDGE: { description: 'Hits that are facts, semantic memories or skills.' },
          EPISODES: { description: 'Summaries of related threads, and hits that are episodes.' },
          TURNS: { description: 'Hits that are turns, grouped by day, oldest first.' },
          CONTINUITY: {
            description:
              'How the message continues an earlier thread: a sentence, the last questions of related threads with their answers, the ' +
              'message itself, and the pause. Long texts are shortened.',
          },
          WINDOW: {
            description: 'The session window of the thread: its newest turns, oldest first.',
          },
        } satisfies Record<PromptSection['name'], { description: string }>,
      }),
      description: 'Which section it is.',
      resolve: ({ name }) => name,
    }),
    tokens: t.exposeInt('tokens', {
      description:
        'How many tokens the section has, with its heading, counted by the tokenizer o200k_base.',
    }),
  }),
});
