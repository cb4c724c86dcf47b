import type { FACT_CATEGORIES, POLARITIES } from '../../domain/facts/fact.ts';
import { builder } from '../core/builder.ts';

export const FactCategoryEnum = builder.enumType('FactCategory', {
  description: 'The kind of statement that a fact makes about the person.',
  values: {
    IDENTITY: { description: 'Who the person is, such as name, age, city, occupation or email.' },
    PREFERENCE: { description: 'What they like, use or dislike.' },
    CONSTRAINT: {
      description: 'What they must, cannot or will not do, such as diet, allergies, availability.',
    },
    INSTRUCTION: {
      description:
        'How the person wants things to be done, mostly by the assistant, such as "answer briefly".',
    },
    INTEREST: { description: 'What they are interested in.' },
    PERSONALITY: { description: 'Their character, such as patient or shy.' },
    RELATIONSHIP: { description: 'Who is close to them, pets included.' },
    EXPERIENCE: {
      description:
        'What they have done and are able to do. Also a fact of origin NOTE that fits no other category.',
    },
    GOAL: { description: 'What they want to achieve.' },
  } satisfies Record<(typeof FACT_CATEGORIES)[number], { description: string }>,
});

export const PolarityEnum = builder.enumType('FactPolarity', {
  description: 'Whether a fact affirms or denies something.',
  values: {
    POSITIVE: { description: 'The `value` is affirmed, as in "I use X" with the value "X".' },
    NEGATIVE: {
      description:
        'The `value` is denied or disliked, as in "I don\'t use X" and "I hate X", both with the value "X".',
    },
  } satisfies Record<(typeof POLARITIES)[number], { description: string }>,
});

export const OriginEnum = builder.enumType('FactOrigin', {
  description: 'How a fact was found.',
  values: {
    PATTERN: {
      description:
        'A fixed pattern, such as "my name is …", found it in a single turn, mostly at the moment when that was stored.',
    },
    EXTRACTIVE: {
      description: 'The built-in rules extracted it, in the background or in `consolidate`.',
    },
    NOTE: {
      description:
        'The built-in rules kept a sentence of the user word for word: `value` and `statement` are that sentence, or its first ' +
        '500 characters.',
    },
    MODEL: { description: 'A language model extracted it.' },
    HAND: {
      description: 'A person or an application recorded it with `recordFact`, or confirmed it so.',
    },
  },
});

export const ChangeEnum = builder.enumType('FactChangeKind', {
  description: 'How a belief about a fact changed.',
  values: {
    RECORDED: { description: 'The fact was stored for the first time.' },
    CLOSED: { description: 'It was learned that the fact had ended or will end.' },
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
