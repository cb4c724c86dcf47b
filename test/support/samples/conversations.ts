import { memoryOf } from '../episodes.ts';
import type { Client, World } from '../world.ts';
import { say } from './conversation.ts';

type Line = [
  role: 'USER' | 'ASSISTANT' | 'TOOL',
  text: string,
  tool?: { name: string; ok: boolean },
];

/** Stores lines a minute apart, from a time on. */
export const store = (client: Client, from: string, lines: readonly Line[]) =>
  say(client, {
    channel: 'sms',
    turns: lines.map(([role, text, tool], index) => ({
      role,
      text,
      occurredAt: new Date(Date.parse(from) + index * 60_000).toISOString(),
      ...(tool ? { toolCalls: [{ ...tool, result: text }] } : {}),
    })),
  });

/** Stores lines a minute apart, from a time on, and runs all background work. */
export const tellIn =
  (world: World) => async (client: Client, from: string, lines: readonly Line[]) => {
    await store(client, from, lines);
    await world.settle();
    const { segments, errors } = await memoryOf(client);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return segments.at(-1) as (typeof segments)[number];
  };

export const DENTIST: Line[] = [
  ['USER', 'My back tooth has hurt since Sunday, so I decided to see the dentist in Rua Augusta.'],
  ['ASSISTANT', 'Shall I book the dentist for Tuesday at nine?'],
  ['USER', 'Yes, please book Tuesday at nine with the dentist.'],
  [
    'TOOL',
    'Appointment created: Tuesday 09:00, dentist Rua Augusta.',
    { name: 'create_appointment', ok: true },
  ],
  ['ASSISTANT', 'Done: the dentist expects you on Tuesday at nine.'],
];
export const DENTIST_AGAIN: Line[] = [
  ['USER', 'The dentist in Rua Augusta pulled the back tooth, it had a crack. It hurts less now.'],
  ['ASSISTANT', 'Good that the dentist found the crack in the tooth. Rest a little.'],
  ['USER', 'The dentist wants to see the tooth again next week, we agreed on Monday at ten.'],
  ['ASSISTANT', 'I have noted the next appointment at the dentist for Monday at ten.'],
];
export const ROOF: Line[] = [
  ['USER', 'The storm tore forty tiles off the roof of the barn last night.'],
  ['ASSISTANT', 'Is the hay under the roof still dry?'],
  [
    'USER',
    'Half of the hay got wet, so we carried it out and my brother nailed a tarpaulin over the hole.',
  ],
  ['ASSISTANT', 'Then the barn should hold until the roofer comes.'],
];
export const CAR: Line[] = [
  ['USER', 'We sold the old Volvo to a student from Braga yesterday, for 1,900 euros.'],
  ['ASSISTANT', 'Did he take the winter tyres as well?'],
  [
    'USER',
    'He did, and he drove the Volvo home in the evening. I cried a little when it left the yard.',
  ],
  ['ASSISTANT', 'It carried you for nineteen years.'],
];
export const ROUTINE: Line[] = [
  ['USER', 'What time is it in Tokyo?'],
  ['ASSISTANT', 'It is 21:04 in Tokyo.'],
  ['USER', 'Set a timer for ten minutes.'],
  ['ASSISTANT', 'The timer is running.'],
];
export const FACT: Line[] = [
  ['USER', 'Just so you know, my cat Luna turned 4.'],
  ['ASSISTANT', 'Noted: Luna is 4 now.'],
];
export const RECALL: Line[] = [
  ['USER', 'Do you remember what we talked about last week, the thing with the roof?'],
  ['ASSISTANT', 'You told me that the storm tore forty tiles off the roof of the barn.'],
];
