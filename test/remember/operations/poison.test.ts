import { expect, it } from 'vitest';
import { refuse } from '../../support/models/model-server.ts';
import {
  answerTo,
  createModelWorld,
  importTalks,
  stateOf,
} from '../../support/models/model-world.ts';

it('a thread at which the model server fails is finally described by the built-in rules, the others by the model', async () => {
  await using own = await createModelWorld(
    (asked) =>
      JSON.stringify(asked.body).includes('said number 2"') ||
      JSON.stringify(asked.body).includes('said number 2\\')
        ? refuse(500)
        : answerTo(asked),
    { MODEL_RETRIES: '1' },
  );
  const { world, pass } = own;
  const client = await world.user('poisoned');
  await importTalks(client, 6);
  await world.settle();
  const first = await stateOf(client);
  const lastError = expect.stringContaining('not at others (500)');
  expect(first.jobs.filter((job) => job.lastError)).toMatchObject([
    { step: 'segment-thread', state: 'RETRYING', attempts: 1, lastError },
  ]);
  // It is cut, described and compacted by the rules.
  for (let run = 2; run <= 15; run += 1) {
    pass(200);
    await world.settle();
  }
  const { jobs, segments, described } = await stateOf(client);
  expect(jobs).toEqual([]);
  expect(described).toBe(6);
  expect(segments.map(({ generatedBy }) => generatedBy).sort()).toEqual([
    'EXTRACTIVE',
    ...Array(5).fill('MODEL'),
  ]);
});
