import { afterAll, beforeAll, expect, it } from 'vitest';
import { contextOf } from '../support/context.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

const LONG = 'It is quiet here. '.repeat(1_000);

let world: World;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
});
afterAll(() => world[Symbol.asyncDispose]());

/** The questions that a context shows of a thread in which the user said these texts, an hour later. */
async function askedIn(userId: string, texts: readonly string[]): Promise<string[]> {
  const client = await world.user(userId);
  const turns = texts.map((text) => ({ text, occurredAt: '2026-03-02T08:00:00Z' }));
  await say(client, { channel: 'sms', turns });
  const message = 'Oh, and what about it at night?';
  const { related } = await contextOf(client, { channel: 'sms', message });
  return related.flatMap(({ exchanges }) => exchanges.map(({ question }) => question));
}

it('of long turns only the beginnings are searched for questions', async () => {
  const questions = await askedIn('long', [
    `Is it far? ${LONG}`,
    `${LONG} Is it near?`,
    'Who is it?',
  ]);
  expect(questions.map((question) => question.slice(0, 10))).toEqual(['Is it far?', 'Who is it?']);
});

it('questions are looked for in the last 500 turns of a thread', async () => {
  const others = Array.from({ length: 498 }, (_, n) => `Nothing new on day ${n}.`);
  expect(await askedIn('many', ['Is it far?', ...others, 'Who is it?'])).toEqual([
    'Is it far?',
    'Who is it?',
  ]);
  expect(await askedIn('many', ['And then it rained.'])).toEqual(['Who is it?']);
});
