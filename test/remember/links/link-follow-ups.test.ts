import { afterAll, beforeAll, expect, it } from 'vitest';
import { talk } from '../../support/episodes.ts';
import { linksOf } from '../../support/links.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T09:00:00Z');

/** Tells conversations of several channels, so many hours after the first, and says which were linked, by their place. */
async function linkedIn(
  name: string,
  told: readonly (readonly [channel: string, hours: number, texts: readonly string[]])[],
) {
  const client = await world.user(name);
  for (const [channel, hours, texts] of told) {
    const at = new Date(START + hours * HOUR);
    world.now = new Date(Math.max(+world.now, +at + HOUR / 4));
    await say(client, { channel, turns: talk(texts, at.toISOString()) });
    await world.settle();
  }
  const { links, threads } = await linksOf(client);
  const placeOf = (id: string) => threads.findIndex((thread) => thread.id === id);
  return links
    .filter(({ joins }) => joins)
    .map(({ thread, earlierThread }) => [placeOf(earlierThread.id), placeOf(thread.id)]);
}

const FOLLOW = [
  [
    [
      'How much rice do I need for a risotto for four people?',
      'About 320 grams, 80 grams a head.',
      'And stock?',
      'A litre and a bit, kept hot.',
    ],
    ['And for six people?'],
  ],
  [
    [
      'When does the last train to Utrecht leave tonight?',
      'The last one leaves at 00:38.',
      'Thanks, from which platform?',
      'Platform 5.',
    ],
    ['What about on Sundays?'],
  ],
  [
    [
      'Which wine goes with raclette?',
      'A dry white such as Fendant.',
      'Good, two bottles then.',
      'That should do for four.',
    ],
    ['Oh, and how much cheese per person?'],
  ],
  [
    ['Can I prune the apple tree in March?', 'Yes, before the buds open, on a dry day.'],
    ['And the pear tree?'],
  ],
  [
    [
      'My washing machine shows E18, what is that?',
      'E18 means that the water does not drain: clean the filter.',
    ],
    ['Still shows it after cleaning.'],
  ],
  [
    ['Is 62 Harrow Lane still free to view this week?', 'Yes, Thursday at five or Friday at noon.'],
    ['Make it Friday then'],
  ],
  [
    [
      'I need a birthday present for my nephew, he turns nine.',
      'A crystal-growing kit or a good football?',
    ],
    ['He already has a football btw'],
  ],
  [
    [
      'Please draft a message to my landlord about the broken boiler.',
      'Dear Mr Aldous, the boiler has been broken since Monday, please send somebody.',
    ],
    ['Can you make it a bit firmer?'],
  ],
] as const;
it('of eight short follow-ups an hour later on another channel at least six are linked', async () => {
  let linked = 0;
  for (const [at, [first, next]] of FOLLOW.entries()) {
    const found = await linkedIn(`follow-up ${at}`, [
      ['whatsapp', 0, first],
      ['sms', 1, next],
    ]);
    linked += found.length;
  }
  expect(linked).toBeGreaterThanOrEqual(6);
}, 180_000);

const PAIRS = [
  [
    [
      'The walnut tree at the fence: the neighbours want it cut down, can they?',
      'Not if it stands on your side; the tree office decides.',
    ],
    [
      'Got the letter from the tree office, the walnut may stay. So glad.',
      'Wonderful, keep the letter.',
    ],
    17,
  ],
  [
    [
      'Chickenpox. Asha woke up with spots all over, doctor says five days at home.',
      'Poor Asha. Calamine and short nails.',
    ],
    ['Asha is fine again, spots are gone, back to nursery on Monday.', 'Good news!'],
    6,
  ],
  [
    [
      'We look at flats in Naples for Tomas’ fortieth, budget 900 for three nights.',
      'Chiaia or Vomero are both good for that.',
    ],
    [
      'I booked the flat in Naples, Chiaia, 840 for the three nights. Tomas knows nothing.',
      'Lovely surprise.',
    ],
    9,
  ],
  [
    [
      'Duval quoted 12,400 for the kitchen, tiles for the backsplash included.',
      'Ask for the tiles as a separate line.',
    ],
    [
      'The tiles for the backsplash came, two boxes are broken. What do I write to Duval?',
      'A short note with photographs.',
    ],
    21,
  ],
  [
    [
      'My talk at the coroner conference is on the 14th and I have no slides.',
      'Three parts: case, method, lesson.',
    ],
    [
      'Conference talk went well, they liked the case most. Slides attached for next time.',
      'Congratulations!',
    ],
    12,
  ],
  [
    [
      'The greenhouse overheats at noon, tomatoes curl.',
      'Open the roof vent before ten and shade the south side.',
    ],
    [
      'Tomatoes in the greenhouse look fine since I shaded the south side and open the vent.',
      'Good.',
    ],
    8,
  ],
] as const;
const ANOTHER = ['Which film should we see tonight, something funny?', 'Paddington, always.'];

it('of six topics resumed days later at least five are linked, and none with the talk in between', async () => {
  let linked = 0;
  for (const [at, [first, next, days]] of PAIRS.entries()) {
    const found = await linkedIn(`matter ${at}`, [
      ['whatsapp', 0, first],
      ['sms', 12 * days, ANOTHER],
      ['telegram', 24 * days, next],
    ]);
    expect(found.filter((pair) => pair.includes(1))).toEqual([]);
    linked += found.length;
  }
  expect(linked).toBeGreaterThanOrEqual(5);
}, 180_000);
