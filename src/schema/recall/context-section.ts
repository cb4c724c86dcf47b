import type { PromptLeftOut, PromptSection } from '../../recall/prompt/prompt-budget.ts';
import { builder } from '../core/builder.ts';

export const ContextSectionType = builder.objectRef<PromptSection>('ContextSection').implement({
  description: 'A section of the block for the prompt.',
  fields: (t) => ({
    name: t.field({
      type: builder.enumType('ContextSectionName', {
        description: 'The sections of the block for the prompt.',
        values: {
          FRAME: {
            description: 'The fence, the headings around the sections, and the closing line.',
          },
          PROFILE: { description: 'Facts that matter to every answer.' },
          GUIDANCE: { description: 'How to work with the person: the profile.' },
          KNOWN: { description: 'Other facts, semantic memories and skills that were found.' },
          RECENT: { description: 'Summaries of related threads, and episodes that were found.' },
          MESSAGES: { description: 'Turns that were found, by day.' },
          CONTINUITY: { description: 'How the message continues an earlier thread.' },
          WINDOW: { description: 'The session window of the thread.' },
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

export const ContextLeftOutType = builder.objectRef<PromptLeftOut>('ContextLeftOut').implement({
  description: 'How much was left out because of the token budget.',
  fields: (t) => ({
    exchanges: t.exposeInt('exchanges', {
      description: 'Questions of earlier threads that were left out, the oldest first.',
    }),
    summaries: t.exposeInt('summaries', {
      description: 'Summaries of earlier threads that were left out.',
    }),
    facts: t.exposeInt('facts', {
      description: 'Known facts that were left out, the least important first.',
    }),
    profile: t.boolean({
      description: 'Whether the profile was left out.',
      resolve: ({ profile }) => profile > 0,
    }),
    hits: t.exposeInt('hits', { description: 'Hits that were left out, the lowest-ranked first.' }),
    window: t.exposeInt('window', {
      description: 'Turns of the session window that were left out, the oldest first.',
    }),
  }),
});
