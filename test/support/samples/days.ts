import { talk } from '../episodes.ts';
import type { Client, World } from '../world.ts';
import { say } from './conversation.ts';

/** A conversation of two turns for each day. */
const DAYS = [
  [
    'Last week I moved to Porto with my wife Ana, and we live in a small flat by the river now. The move took two days.',
    'Then you have the river before your window in Porto.',
  ],
  [
    'When you explain something to me, I prefer short answers with one example. Long lists make me tired after a minute.',
    'Noted: short answers with one example.',
  ],
  [
    'We decided in the team to write the new backend in TypeScript, because everybody knows it already. The old one in Java goes away in June.',
    'TypeScript it is for the backend.',
  ],
  [
    'I usually work from home and early in the morning, before my daughter wakes up. Meetings before ten are no good for me.',
    'Mornings at home suit you, without meetings.',
  ],
  [
    'My daughter Rita started school on Monday, and she has a red bag with a fox on it. She cried a little, and so did I.',
    'A big day for Rita and for you.',
  ],
  [
    'The storm tore forty tiles off the roof of the barn last night, and half of the hay got wet. My brother nailed a tarpaulin over the hole.',
    'Then the barn should hold until the roofer comes.',
  ],
  [
    'We sold the old Volvo to a student from Braga yesterday, for 1,900 euros. He drove it home in the evening.',
    'It carried you for nineteen years.',
  ],
  [
    'The dentist pulled my back tooth because it had a crack, and it hurts less now. She wants to see me again on Monday at ten.',
    'Rest a little after that tooth.',
  ],
  [
    'I am learning to play the cello, with a teacher who comes on Saturdays at four. The bow is harder than the strings.',
    'Saturdays at four are for the cello.',
  ],
  [
    'Our team deploys to Kubernetes on Thursdays only, after the code reviews are done. We never deploy on Fridays.',
    'Thursdays are for deployments, then.',
  ],
];

/** Stores a conversation of two turns on each of the given days of March 2026, each as a thread of its own. Then runs all steps. */
export async function talkOn(world: World, client: Client, from: number, through: number) {
  const days = Array.from({ length: through - from + 1 }, (_, at) => from + at);
  await say(client, { channel: 'sms', turns: days.flatMap(talkOf) });
  await world.settle();
}

/** Does the same day by day. */
export async function talkDaily(world: World, client: Client, from: number, through: number) {
  for (let day = from; day <= through; day++) await talkOn(world, client, day, day);
}

/** Returns the turns of a day of March. */
export const talkOf = (day: number) =>
  talk(
    DAYS[(day - 1) % DAYS.length] as string[],
    `2026-03-${String(day).padStart(2, '0')}T09:00:00Z`,
  );

/** Stores forty turns of 3 March about two topics in an open thread. The first topic is already an episode. */
export async function talkOpenly(world: World, client: Client) {
  const texts = [
    'We decided that the cello gets new strings before the concert in the church.',
    'The boiler leaks, and the plumber looks after the valve in the cellar.',
  ];
  const turns = talk(
    texts.flatMap((text) => Array<string>(20).fill(text)),
    '2026-03-03T08:00:00Z',
  );
  world.now = new Date('2026-03-03T08:40:00Z');
  await say(client, { channel: 'web', newThread: { title: 'Open' }, turns });
  await world.settle();
  world.now = new Date('2026-03-03T08:41:00Z');
  await world.settle();
}
