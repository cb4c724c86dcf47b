import { describe, expect, it } from 'vitest';
import { combinedText } from '../../../src/domain/links/cross-thread.ts';
import { isRestatedBy, joinWithoutRepeats } from '../../../src/domain/turns/restated.ts';

describe('texts one after another', () => {
  it.each([
    {
      name: 'a title that its summary repeats is left out',
      parts: [
        'Batched migration ran through in 3 hours',
        'The batched migration ran through in 3 hours, no locks.',
      ],
      told: 'The batched migration ran through in 3 hours, no locks.',
    },
    {
      name: 'two summaries that begin alike tell it once',
      parts: [
        'Subject: Flat viewing. 82 m², two rooms.',
        'Subject: Flat viewing. 82 m², two rooms. Rent 900 euros.',
      ],
      told: 'Subject: Flat viewing. 82 m², two rooms. Rent 900 euros.',
    },
    {
      name: 'who says what is left stays told',
      parts: [
        'User: The lease ends in May. Rent is 900 euros.',
        'User: The lease ends in May. It has a balcony. Assistant: Give notice now.',
      ],
      told: 'User: The lease ends in May. Rent is 900 euros. It has a balcony. Assistant: Give notice now.',
    },
    {
      name: 'short answers to two questions are both told',
      parts: ['Who pays? Rosa pays.', 'Who drives? Rosa pays.'],
      told: 'Who pays? Rosa pays. Who drives?',
    },
    {
      name: 'a speaker with two names keeps their words',
      parts: [
        'Nils Berg: I pay the deposit.',
        'User: The lease ends in May. Nils Berg: I pay the deposit. I keep the key.',
      ],
      told: 'Nils Berg: I pay the deposit. User: The lease ends in May. Nils Berg: I keep the key.',
    },
    { name: 'texts without a word are told as nothing', parts: ['', ' '], told: '' },
  ])('$name', ({ parts, told }) => {
    expect(joinWithoutRepeats(parts)).toBe(told);
  });

  it('combinedText of threads with the same summaries never repeats itself', () => {
    const threads = [
      { title: 'Carla wrote us', summary: 'Carla wrote us. She joins in May.' },
      { title: 'She joins in May', summary: 'Carla wrote us that she joins in May. Good.' },
    ];
    expect(combinedText(threads)).toBe('Carla wrote us that she joins in May. Good.');
  });
});

it('isRestatedBy is true if each sentence of a text is contained in another text', () => {
  const others = ['The lease ends in May, it says.', 'User: Rent is 900 euros.'];
  expect(isRestatedBy('User: The lease ends in May. Rent is 900 euros.', others)).toBe(true);
  expect(isRestatedBy('The lease ends in May. It has a balcony.', others)).toBe(false);
});
