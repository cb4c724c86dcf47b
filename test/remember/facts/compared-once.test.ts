import { expect, it } from 'vitest';
import { consolidate, recorder } from '../../support/consolidation.ts';
import { factsOf, tellGoals } from '../../support/facts.ts';
import { talkOn } from '../../support/samples/days.ts';
import { createWorld } from '../../support/world.ts';

it('consolidation does not compare again what was extracted from the same turns before', async () => {
  await using world = await createWorld();
  world.now = new Date('2026-03-31T12:00:00Z');
  world.with({ reasoner: { ...world.ctx.reasoner, extractFacts: tellGoals } });
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
