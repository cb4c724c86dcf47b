import { afterEach, expect, it, vi } from 'vitest';
import { factsOf } from '../../support/facts.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
afterEach(async () => {
  vi.restoreAllMocks();
  await world[Symbol.asyncDispose]();
});

it('turns that take the rules long are read in several steps, each turn once', async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  const { reasoner } = world.ctx;
  const asked: string[] = [];
  let elapsed = 0;
  const { now } = performance;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + elapsed);
  world.with({
    reasoner: {
      ...reasoner,
      extractFacts: async (input, call) => {
        elapsed += 700;
        asked.push(input.turns.at(-1)?.text ?? '');
        return reasoner.extractFacts(input, call);
      },
    },
  });
  const texts = ['Luna', 'Rex', 'Kiki', 'Momo', 'Tiger'].map((name) => `My cat ${name} is 3.`);
  const client = await world.user('ann');
  const occurredAt = '2026-03-02T08:00:00Z';
  const said = [{ text: 'Hello.' }, ...texts.map((text) => ({ text })), { text: 'Bye.' }];
  const turns = said.map((turn) => ({ ...turn, occurredAt }));
  await say(client, { channel: 'sms', turns });
  world.statements.length = 0;
  await world.settle();
  expect(asked).toEqual(['Hello.', ...texts, 'Bye.']);
  expect(world.sent(/^turns-stretches$/).length).toBeGreaterThanOrEqual(4);
  expect((await factsOf(client)).active).toHaveLength(texts.length * 2);
});
