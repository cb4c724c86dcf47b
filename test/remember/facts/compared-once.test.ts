import { expect, it } from 'vitest';
import { consolidate, recorder } from '../../support/consolidation.ts';
import { factsOf } from '../../support/facts.ts';
import { talkOn } from '../../support/samples/days.ts';
import { createWorld } from '../../support/world.ts';

it('consolidation does not compare again what was extracted from the same turns before', async () => {
  await using world = await createWorld();
  world.now = new Date('2026-03-31T12:00:00Z');
  const { reasoner } = world.ctx;
  world.with({
    reasoner: {
      ...reasoner,
      extractFacts: async ({ turns, contextTurns = 0 }) => ({
        facts: turns.slice(contextTurns).map(({ text }, index) => ({
          action: 'NEW' as const,
          factId: null,
          category: 'GOAL' as const,
          key: null,
          value: text,
          statement: text,
          polarity: 'POSITIVE' as const,
          scope: null,
          confidence: 0.8,
          importance: 0.6,
          isCorrection: false,
          turn: contextTurns + index,
        })),
      }),
    },
  });
  const ann = await recorder(world, 'ann');
  world.statements.length = 0;
  await talkOn(world, ann, 1, 2);
  expect(world.sent(/^fact-vectors-nearest$/)).not.toEqual([]);
  const { facts } = await factsOf(ann);
  expect(facts).toHaveLength(2);

  world.statements.length = 0;
  expect(await consolidate(ann)).toMatchObject({ facts: { episodes: 2, reinforced: 0 } });
  expect(world.sent(/^fact-vectors-nearest$/)).toEqual([]);
  expect((await factsOf(ann)).facts).toEqual(facts);
});
