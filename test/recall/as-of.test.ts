import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { DENTIST, DENTIST_AGAIN, tellIn } from '../support/samples/conversations.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

type Line = { at: string; channel: string; role: 'USER' | 'ASSISTANT'; text: string };

/** A matter that goes on over days and channels, with another beside it. */
const TALK: Line[] = [
  ['02T10:00', 'sms', "What's the weather in New York tomorrow?"],
  ['02T10:01', 'sms', 'Sunny in New York, with a high of 72°F.'],
  ['02T10:05', 'sms', 'What about New York next week?'],
  ['02T10:06', 'sms', 'Mixed weather in New York, between 65 and 75°F.'],
  ['02T10:45', 'whatsapp', 'Oh, and what is it on Thursday in New York?'],
  ['02T10:46', 'whatsapp', 'Rain on Thursday, so pack the green umbrella for New York.'],
  ['02T18:00', 'sms', 'I have lived in Leeds since 2019, above the bakery.'],
  ['02T18:01', 'sms', 'Leeds above a bakery, noted.'],
  ['03T09:00', 'sms', 'I moved to Bath, we decided to keep the piano there.'],
  ['03T09:01', 'sms', 'Bath and the piano, noted.'],
  ['03T09:30', 'whatsapp', 'I booked the hotel in New York, the Larkspur on 9th Avenue.'],
  ['03T09:31', 'whatsapp', 'The Larkspur in New York is booked for the rainy Thursday.'],
  ['04T09:00', 'sms', 'The flight to New York is cancelled, I take the train to Boston.'],
  ['04T09:01', 'sms', 'The train to Boston instead of New York, noted.'],
].map(([at = '', channel = '', text = ''], index) => ({
  at: `2026-03-${at}:00Z`,
  channel,
  role: index % 2 ? 'ASSISTANT' : 'USER',
  text,
}));

/** Words of a text that tell it from every other line. */
const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []);

it('context(asOf) tells nothing later than asOf: no sentence, summary, profile or fact of what was said after it', async () => {
  const client = await world.user('as-of');
  for (const { at, channel, role, text } of TALK) {
    world.now = new Date(at);
    await say(client, { channel, turns: [{ role, text, occurredAt: at }] });
    if (role === 'ASSISTANT') await world.settle();
  }
  world.now = new Date('2026-03-05T12:00:00Z');
  await world.settle();
  const empty = await contextOf(await world.user('nobody'), { channel: 'sms', message: 'Hm?' });
  const moments = [...TALK.map(({ at }) => at), '2026-03-02T10:03:00Z', '2026-03-03T12:00:00Z'];
  for (const asOf of moments) {
    const said = TALK.filter(({ at }) => at <= asOf).map(({ text }) => text);
    const known = new Set([empty.markdown, ...said].flatMap((text) => [...wordsOf(text)]));
    for (const channel of ['sms', 'whatsapp']) {
      const message = 'And what was it again?';
      const { markdown } = await contextOf(client, { channel, message, asOf });
      for (const { text } of TALK.filter(({ at }) => at > asOf)) {
        expect(markdown).not.toContain(text);
        const later = [...wordsOf(text)].filter((word) => !known.has(word));
        const block = wordsOf(markdown);
        expect({ asOf, told: later.filter((word) => block.has(word)) }).toEqual({ asOf, told: [] });
      }
    }
  }
}, 120_000);

it('an episode into which something was merged after asOf is not among the hits, and is without asOf', async () => {
  const client = await world.user('merged');
  const tell = tellIn(world);
  await tell(client, '2026-03-02T09:00:00Z', DENTIST);
  const later = await tell(client, '2026-03-03T18:00:00Z', DENTIST_AGAIN);
  expect(later).toMatchObject({ capture: 'MERGED' });
  const textsAt = async (asOf: string | null) => {
    const hits = await recallAll(client, { query: 'The dentist in Rua Augusta', first: 20, asOf });
    return JSON.stringify([hits.episodes, hits.memories, hits.turns]);
  };
  expect(await textsAt(null)).toMatch(/Monday at ten/);
  const before = await textsAt('2026-03-02T12:00:00Z');
  expect(before).toMatch(/Tuesday at nine/);
  expect(before).not.toMatch(/Monday at ten|crack/);
});

it('context(asOf) inside a long thread has the turns that were the newest then', async () => {
  const client = await world.user('long');
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 6, 9, minute)).toISOString();
  const turns = Array.from({ length: 60 }, (_, index) => ({
    role: index % 2 ? ('ASSISTANT' as const) : ('USER' as const),
    text: `Step ${index + 1} of the long plan.`,
    occurredAt: at(index),
  }));
  world.now = new Date(at(60));
  await say(client, { channel: 'sms', turns });
  const { markdown } = await contextOf(client, {
    channel: 'sms',
    message: 'What was the last step?',
    asOf: at(20),
  });
  expect(markdown).toMatch(/Step 21 of/);
  expect(markdown).not.toMatch(/Step 22 of/);
});
