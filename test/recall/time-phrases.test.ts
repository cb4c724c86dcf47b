import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLanguage } from '../../src/language-threads/language.ts';
import { graphql } from '../support/generated/gql.ts';
import { recallAll } from '../support/recall.ts';
import { say } from '../support/samples/conversation.ts';
import { sharedThreads } from '../support/shared.ts';
import { type Client, createWorld, type World } from '../support/world.ts';

const CONFIGURE = graphql(`
  mutation ConfigureZone($timeZone: String!) {
    configureUser(timeZone: $timeZone) {
      __typename
    }
  }
`);

/** Five things said in Lisbon, each at its own time. */
const SAID = [
  ['2026-03-03T10:00:00Z', 'The piano was tuned.'],
  ['2026-03-20T10:00:00Z', 'The piano lid was mended.'],
  ['2026-05-03T23:30:00Z', 'The piano stool was painted.'],
  ['2026-05-12T09:00:00Z', 'The piano keys were cleaned.'],
  ['2026-05-12T20:00:00Z', 'The piano was played.'],
] as const;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await createWorld();
  world.now = new Date('2026-05-14T10:00:00Z');
  client = await world.user('lisbon');
  await client.execute(CONFIGURE, { timeZone: 'Europe/Lisbon' });
  for (const [occurredAt, text] of SAID) {
    await say(client, { channel: 'sms', turns: [{ text, occurredAt }] });
  }
  await world.settle();
});
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['What was done to the piano in March?', 'in March', ['tuned', 'lid']],
  // 23:30 UTC is half past midnight of 4 May in Lisbon.
  ['What about the piano since 4 May?', 'since 4 May', ['stool', 'keys', 'played']],
  ['What did we say about the piano on 3 May?', 'on 3 May', []],
  ['Which piano work was there the day before yesterday in the morning?', null, ['keys']],
  ['What about the piano last week?', 'last week', ['stool']],
  ['What about the piano?', null, ['tuned', 'lid', 'stool', 'keys', 'played']],
])('a question finds what was said in the time that it names: %s', async (query, phrase, found) => {
  const { turns, range } = await recallAll(client, { query, kinds: ['TURN'] });
  const texts = turns.map(({ turn }) => turn?.text ?? '').join();
  for (const [, text] of SAID) {
    const isFound = found.some((word) => text.includes(word));
    expect([text, texts.includes(text)]).toEqual([text, isFound]);
  }
  if (phrase) expect(range?.text).toBe(phrase);
});

it('a search is widened to all time if nothing was said in the period of the question', async () => {
  const query = 'Which piano is to be played at the concert in February?';
  const { turns, range } = await recallAll(client, { query, kinds: ['TURN'] });
  expect(turns).toHaveLength(SAID.length);
  expect(range).toMatchObject({ text: 'in February', filters: false });
});

it('a question is read for its time although the rules are slow or start again', async () => {
  const threads = sharedThreads(false);
  const { run } = threads.requests;
  const requests = {
    ...threads.requests,
    run: (...task: Parameters<typeof run>) => setTimeout(60).then(() => run(...task)),
    isReady: () => false,
  };
  const { rules } = createLanguage({ ...threads, requests, requestWithin: 20 });
  using _ = world.with({ rules });
  const { turns, range } = await recallAll(client, {
    query: 'What was done to the piano in March?',
    kinds: ['TURN'],
  });
  expect(range?.text).toBe('in March');
  expect(turns).toHaveLength(2);
});
