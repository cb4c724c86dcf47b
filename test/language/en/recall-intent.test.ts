import { describe, expect, it } from 'vitest';
import { recallIntentOf } from '../../../src/language/en/recall-intent.ts';

describe('recall intent', () => {
  it.each([
    'Remember what we talked about on Monday?',
    "Didn't we discuss this already?",
    'What did I say about the budget?',
    'Last time you told me to wait a week.',
    'You told me the ferry leaves at nine.',
    'What was the name of that restaurant you recommended?',
    'Can you remind me what we decided on the flat?',
    "Do you remember my dog's name?",
    'Where did we leave off?',
    'Have we talked about taxes before?',
    'What was that book again?',
    'Catch me up on the kitchen.',
    'Go back to our conversation about the tax office.',
    "Let's return to the discussion on the fence.",
  ])('%j asks for something said before', (message) => {
    expect(recallIntentOf(message)).toMatchObject({ recall: true });
  });

  it.each([
    'Remember to buy milk.',
    'Please remember that I am allergic to nuts.',
    'I remember my youth fondly.',
    'Remind me to call Anna tomorrow.',
    'Remind me what I need from the old laptop.',
    'What should we talk about?',
    'What do you recommend?',
    'Can we talk about the budget?',
    'My grandmother remembers the war.',
    'Did you see the game?',
    'I said no.',
    'Catch me up at the station.',
    'Go back to the shop.',
    'Let us go back to bed.',
    'We decided to move to Lyon.',
    "What's the weather in Oslo?",
    'Erinnerst du dich, worüber wir gesprochen haben?',
  ])('%j does not ask for something said before', (message) => {
    expect(recallIntentOf(message)).toMatchObject({ recall: false });
  });
});
