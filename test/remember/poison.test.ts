import { expect, it } from 'vitest';
import { chat, refuse } from '../support/model-server.ts';
import { createModelWorld, DESCRIPTION, importTalks, stateOf } from '../support/model-world.ts';

it('a thread at which the server breaks dies visibly; all others are described at once', async () => {
  await using own = await createModelWorld(
    ({ body }) =>
      JSON.stringify(body).includes('said number 2"') ||
      JSON.stringify(body).includes('said number 2\\')
        ? refuse(500)
        : chat(DESCRIPTION),
    { MODEL_RETRIES: '1' },
  );
  const { world, pass } = own;
  const client = await world.user('poisoned');
  await importTalks(client, 6);
  await world.settle();
  const first = await stateOf(client);
  expect(first.described).toBe(5);
  expect(first.jobs).toMatchObject([{ state: 'RETRYING', attempts: 1 }]);
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    pass(600);
    await world.settle();
  }
  expect((await stateOf(client)).jobs).toMatchObject([
    { state: 'DEAD', attempts: 5, lastError: expect.stringContaining('and not at others (500)') },
  ]);
});
