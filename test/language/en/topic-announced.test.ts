import { expect, it } from 'vitest';
import { announcesTopic } from '../../../src/language/en/topic-announced.ts';

it.each([
  'Unrelated, who do I ask about the parking permit?',
  'ok different thing. the boiler is making that noise again',
  'haha yes. right, totally different question: how long do eggs keep',
  'Thanks! One more thing, is the pool open on Sunday?',
  'sidebar: my sister had the baby',
  'ps the charger turned up',
  'next: the invoice for March',
  'lovely. quick q, what time is the train',
  'Speaking of dentists, mine retired.',
  'while you’re here, what is a good name for a parrot',
  'Second thing, the boiler man wants a deposit',
  'ok real problem. the key broke in the lock',
])('"%s" announces another topic', (text) => expect(announcesTopic(text)).toBe(true));

it.each([
  'The next thing they did was paint the hall.',
  'They are unrelated to us.',
  'random people kept ringing the bell',
  'Next week suits me.',
  'I went back to work on Monday.',
  'It is a different thing altogether.',
  'Something else entirely would be better for her.',
  'ok ok ok ok ok ok ok ok unrelated',
  'Psychology was my subject.',
  '',
])('"%s" does not announce another topic', (text) => expect(announcesTopic(text)).toBe(false));
