import { expect, it } from 'vitest';
import { linksOf, tellThreads } from '../../support/links.ts';
import { createWorld } from '../../support/world.ts';

const NURSE = [
  [
    'My colleague Ines gets married in May and I have no idea what to wear.',
    'Congratulations to her! A knee-length dress is always right.',
    'My mum says green suits me, is that fine for a church?',
    'Green is lovely, mums know.',
    'The bus there takes two hours.',
    'Then take flat shoes along.',
  ],
  [
    'I got the job on the children ward!',
    'Congratulations, when do you start?',
    'In two weeks, mum cried on the phone.',
    'How sweet, she must be proud.',
    'I need a new badge and a locker.',
    'Ask the office on the first morning.',
  ],
  [
    'The brakes of the Polo squeal.',
    'The pads may be worn, how old are they?',
    'Three years I think, my dad changed them.',
    'Then it is time, a garage takes about 200 euros.',
    'Lovely, I have 200 left this month.',
    'Do it soon, brakes do not wait.',
  ],
  [
    'Which running plan is good for ten kilometres?',
    'Three times a week, with one long run.',
    'I last ran years ago at school.',
    'Then begin with two kilometres.',
    'My mum wants to come along, she is sixty.',
    'Lovely, run at her pace.',
  ],
  [
    'The landlord wants 200 more for the heating.',
    'Ask for the bill of the last two years.',
    'He sent it this morning, it is three pages.',
    'Compare the meter readings first.',
    'They are from years ago.',
    'Then you can object within a month.',
  ],
  [
    'My sourdough does not rise any more.',
    'How warm is the kitchen?',
    'About seventeen degrees, two hours on the sill.',
    'Give it the whole night near the radiator.',
    'It smells of pears.',
    'That is a good sign, congratulations.',
  ],
  [
    'We want to see the puffins in June, where do we go?',
    'To Skomer, boats leave in the morning.',
    'Does my sister need a ticket for the baby?',
    'Babies are free, I think.',
    'How many hours do we have there?',
    'Five hours on the island.',
  ],
] as const;

const WEDDING_AGAIN = [
  'The green dress for the wedding of Ines is too long, can I shorten it myself?',
  'A straight hem, yes, a dress with a lining is better at a tailor.',
  'It has a lining, and the wedding is in two weeks.',
  'Then take the dress to a tailor today.',
];

it('matters of one person that share only everyday words are not linked; one that is taken up again is', async () => {
  await using world = await createWorld();
  const client = await world.user('nurse');
  await tellThreads(world, client, [...NURSE, WEDDING_AGAIN], { hours: 50 });
  const { links, episodes, threads } = await linksOf(client);
  const numbers = new Map(threads.map(({ id }, at) => [id, at]));
  const joined = links.filter(({ joins }) => joins);
  expect(
    joined.map(({ thread, earlierThread }) => [
      numbers.get(earlierThread.id),
      numbers.get(thread.id),
    ]),
  ).toEqual([[0, 7]]);
  expect(episodes.map((episode) => episode.threads.length)).toEqual([2]);
}, 240_000);
