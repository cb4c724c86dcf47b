import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { talk } from '../support/episodes.ts';
import { say } from '../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const STANDING = 'By the way, no dairy for me in the evening, only oat milk.';
const DAYS = [
  ['Can you recommend a podcast about trains?', 'Try the one on night trains.', STANDING, 'Noted.'],
  ['My pension statement came, is 412 a month plausible?', 'For eleven years it is.'],
  ['How do I say pan and ladle in German?', 'Pfanne and Schoepfkelle.'],
  ['The zip of my tent broke, can it be mended?', 'A new slider costs three euros.'],
  ['We drive to Bergen in June, how long is the ferry?', 'Sixteen hours from Hirtshals.'],
  ['Lotte has a recital on Friday, what do I bring?', 'Flowers are always right.'],
];

let world: World;
let client: Client;
beforeAll(async () => {
  world = await createWorld();
  client = await world.user('oat');
  world.now = new Date('2026-03-20T18:40:00Z');
  for (const [day, texts] of DAYS.entries()) {
    const from = `2026-03-0${day + 2}T10:00:00Z`;
    await say(client, { channel: 'sms', turns: talk(texts, from) });
  }
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

it.each(['Fancy a glass of milk, which one should I get?', 'milk?'])(
  'a standing preference comes before unrelated talk of later days, also in 300 tokens: %s',
  async (message) => {
    const input = { channel: 'whatsapp', message, maxTokens: 300 };
    const { hits, markdown } = await contextOf(client, input);
    expect(markdown).toContain(STANDING);
    const [best] = hits.toSorted((a, b) => a.rank - b.rank);
    expect(best).toMatchObject({ turn: { text: STANDING } });
  },
);
