import type { FACT_CATEGORIES, POLARITIES } from '../../domain/facts/fact.ts';
import { builder } from '../core/builder.ts';

export const FactCategoryEnum = builder.enumType('FactCategory', {
  description: 'The kind of statement that a fact makes about the person.',
  values: {
    IDENTITY: { description: 'Who the person is: name, age, city, occupation.' },
    PREFERENCE: { description: 'What they like, use or dislike.' },
    CONSTRAINT: {
      description: 'What they must, cannot or will not do: diet, allergies, availability.',
    },
    INSTRUCTION: { description: 'How they want things to be done.' },
    INTEREST: { description: 'What they are interested in.' },
    PERSONALITY: { description: 'Their character, such as patient or shy.' },
    RELATIONSHIP: { description: 'Who is close to them, pets included.' },
    EXPERIENCE: { description: 'What they have done and are able to do.' },
    GOAL: { description: 'What they want to achieve.' },
  } satisfies Record<(typeof FACT_CATEGORIES)[number], { description: string }>,
});

export const PolarityEnum = builder.enumType('FactPolarity', {
  description: 'Whether a fact affirms or denies something.',
  values: {
    POSITIVE: { description: 'The statement is affirmed.' },
    NEGATIVE: { description: 'The statement is denied, such as "I don\'t use X".' },
  } satisfies Record<(typeof POLARITIES)[number], { description: string }>,
});

export const OriginEnum = builder.enumType('FactOrigin', {
  description: 'How a fact was found.',
  values: {
    PATTERN: {
      description:
        'A fixed pattern, such as "my name is …", found it at the moment when the turn was stored.',
    },
    EXTRACTIVE: { description: 'The built-in rules extracted it in the background.' },
    NOTE: {
      description:
        'The built-in rules kept a sentence of the user word for word: `value` and `statement` are that sentence.',
    },
    MODEL: { description: 'A language model extracted it.' },
    HAND: { description: 'A person or an application recorded it with `recordFact`.' },
  },
});

export const ChangeEnum = builder.enumType('FactChangeKind', {
  description: 'How a belief about a fact changed.',
  values: {
    RECORDED: { description: 'The fact was stored for the first time.' },
    CLOSED: { description: 'It was learned that the fact had ended.' },
    EXTENDED: {
      description:
        'It was learned that the fact had become true at an earlier time than was believed.',
    },
    RETRACTED: { description: 'The fact was retracted: it is no longer believed at all.' },
    RESTORED: {
      description:
        'The retraction of the fact was undone; or the fact that had replaced it was retracted or forgotten, so that it is true again.',
    },
  },
});
