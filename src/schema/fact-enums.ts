import type { FACT_CATEGORIES, POLARITIES } from '../domain/fact.ts';
import { builder } from './builder.ts';

export const FactCategoryEnum = builder.enumType('FactCategory', {
  description: 'What kind of thing a fact says.',
  values: {
    IDENTITY: { description: 'Who the person is: name, age, city, occupation.' },
    PREFERENCE: { description: 'What they like, use or dislike.' },
    CONSTRAINT: { description: 'What they must, cannot or do not do: diet, allergies, times.' },
    INSTRUCTION: { description: 'How they want things to be done.' },
    INTEREST: { description: 'What they are interested in.' },
    PERSONALITY: { description: 'What they are like.' },
    RELATIONSHIP: { description: 'Who is near to them, pets too.' },
    EXPERIENCE: { description: 'What they have done and can do.' },
    GOAL: { description: 'What they want to reach.' },
  } satisfies Record<(typeof FACT_CATEGORIES)[number], { description: string }>,
});

export const PolarityEnum = builder.enumType('FactPolarity', {
  description: 'Whether a fact affirms or denies.',
  values: {
    POSITIVE: { description: 'It is so.' },
    NEGATIVE: { description: 'It is not so: "I don\'t use X".' },
  } satisfies Record<(typeof POLARITIES)[number], { description: string }>,
});

export const OriginEnum = builder.enumType('FactOrigin', {
  description: 'Who found a fact.',
  values: {
    PATTERN: { description: 'A pattern, at once when the turn came.' },
    EXTRACTIVE: { description: 'The built-in rules.' },
    NOTE: {
      description:
        'The built-in rules kept a sentence of the user word for word: `value` and `statement` are that sentence.',
    },
    MODEL: { description: 'A language model.' },
    HAND: { description: 'Somebody gave it.' },
  },
});

export const ChangeEnum = builder.enumType('FactChangeKind', {
  description: 'What changed of what is believed.',
  values: {
    RECORDED: { description: 'The fact became known.' },
    CLOSED: { description: 'It became known when it ended.' },
    EXTENDED: { description: 'It became known that it held earlier.' },
    RETRACTED: { description: 'It is no longer believed at all.' },
    RESTORED: { description: 'It is believed again.' },
  },
});
