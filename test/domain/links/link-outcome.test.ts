import { describe, expect, it } from 'vitest';
import { joinsThreads, linkOutcomeOf } from '../../../src/domain/links/link-outcome.ts';

const aftermath = {
  later: ['And how long is the flight?', 'Book it then.'],
  likeness: 0.5,
  isOver: false,
  isFreshStart: false,
};

describe('outcomes of a link, by what the user does next', () => {
  it.each([
    ['goes on', 'LINK', {}, ['CORRECT', 'CONTINUED']],
    ['goes on with little to tell', 'LINK', { likeness: null }, ['CORRECT', 'CONTINUED']],
    ['denies', 'LINK', { later: ["That's not what I meant."] }, ['INCORRECT', 'DENIED']],
    ['switches topic', 'LINK', { likeness: 0.1 }, ['INCORRECT', 'SWITCHED_TOPIC']],
    ['says little so far', 'LINK', { later: ['Yes.'] }, null],
    ['says no more', 'LINK', { later: [], isOver: true }, null],
    [
      'asks back',
      'DONT_LINK',
      { later: ["Didn't we talk about this?"] },
      ['INCORRECT', 'ASKED_BACK'],
    ],
    [
      'begins afresh',
      'DONT_LINK',
      { likeness: 0.1, isFreshStart: true },
      ['CORRECT', 'STARTED_AFRESH'],
    ],
    ['has a new topic', 'DONT_LINK', { likeness: 0.1 }, ['CORRECT', 'NEW_TOPIC']],
    ['comes back to the old one', 'DONT_LINK', { likeness: 0.9 }, null],
    [
      'ends with one turn',
      'DONT_LINK',
      { later: ['Fine.'], likeness: null, isOver: true },
      ['CORRECT', 'NEW_TOPIC'],
    ],
  ] as const)(
    'when the user %s, the outcome of the verdict %s is what that shows',
    (_, verdict, differs, expected) => {
      const found = linkOutcomeOf({ ...aftermath, verdict, ...differs });
      expect(found && [found.outcome, found.sign]).toEqual(expected);
    },
  );

  it.each([
    ['that is not what I meant', true],
    ['No, I didn’t mean that', true],
    ['I am asking about something else', true],
    ['wrong conversation, sorry', true],
    ['I meant it when I said yes', false],
    ['What does "mean" mean?', false],
  ])('the words %j are a denial: %s', (text, isOne) => {
    const found = linkOutcomeOf({ ...aftermath, verdict: 'LINK', later: [text] });
    expect(found?.sign === 'DENIED').toBe(isOne);
  });
});

it('only explicit statements separate or join threads; other signs count for tuning only', () => {
  const cases = [
    ['LINK', 'INCORRECT', 'RATED'],
    ['LINK', 'INCORRECT', 'DENIED'],
    ['LINK', 'INCORRECT', 'SWITCHED_TOPIC'],
    ['LINK', 'CORRECT', 'RATED'],
    ['LINK', 'UNKNOWN', null],
    ['DONT_LINK', 'INCORRECT', 'RATED'],
    ['DONT_LINK', 'INCORRECT', 'ASKED_BACK'],
    ['DONT_LINK', 'CORRECT', 'NEW_TOPIC'],
  ] as const;
  const joined = cases.map(([verdict, outcome, sign]) => joinsThreads(verdict, outcome, sign));
  expect(joined).toEqual([false, false, true, true, true, true, true, false]);
});
