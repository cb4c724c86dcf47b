import { afterEach, expect, it, vi } from 'vitest';
import { addFacts, factsOf, RECORD } from '../../support/facts.ts';
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

it('a turn that corrects one read with it closes that fact, also when an older one is said again', async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  const client = await world.user('many');
  await client.execute(RECORD, {
    input: { category: 'IDENTITY', key: 'profile:city', value: 'Porto' },
  });
  await addFacts(world, client, 2_000);
  const learned = {
    category: 'INTEREST',
    statement: 'Said so.',
    polarity: 'POSITIVE',
    scope: null,
    confidence: 0.9,
    importance: 0.6,
    isCorrection: false,
    action: 'NEW',
    factId: null,
  } as const;
  world.with({
    reasoner: {
      ...world.ctx.reasoner,
      extractFacts: async ({ turns, known }) => {
        const value = turns.at(-1)?.text ?? '';
        const turn = turns.length - 1;
        const key = value === 'Porto' ? 'profile:city' : `interest:${value}`;
        const chess = known?.find((fact) => fact.value === 'chess')?.id ?? null;
        return value === 'bored'
          ? {
              facts: [
                { ...learned, turn, key, value, action: 'INVALIDATE' as const, factId: chess },
              ],
            }
          : { facts: [{ ...learned, turn, key, value }] };
      },
    },
  });
  const turns = ['Porto', 'chess', 'tea', 'bored'].map((text) => ({ text }));
  await say(client, { channel: 'sms', turns });
  await world.settle();
  const { active } = await factsOf(client);
  expect(active).toEqual(expect.arrayContaining(['interest:tea = tea', 'interest:bored = bored']));
  expect(active).not.toContain('interest:chess = chess');
});
