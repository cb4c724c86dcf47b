import { expect, it } from 'vitest';
import { graphql } from '../support/generated/gql.ts';
import { say } from '../support/samples/conversation.ts';
import { createWorld } from '../support/world.ts';

const JOBS = graphql(`
  query HangingSteps {
    viewer {
      jobs(first: 20) {
        edges {
          node {
            step
            state
            attempts
            lastError
          }
        }
      }
    }
  }
`);

it('a step that hangs is retried and finally shown as dead, and other steps continue', async () => {
  const silent = new Promise<never>(() => {});
  const indexer = {
    terms: () => silent,
    cues: async () => [],
    [Symbol.asyncDispose]: async () => {},
  };
  await using world = await createWorld(
    { EMBEDDER: 'none', STEP_TIMEOUT_SECONDS: '1' },
    { indexer },
  );
  const ann = await world.user('ann');
  await say(ann, { channel: 'sms', turns: [{ text: 'My cat is called Luna.' }] });
  const failing = async () => {
    const { viewer } = await ann.execute(JOBS);
    return viewer?.jobs.edges.map(({ node }) => node).filter((job) => job.lastError !== null);
  };
  await world.settle();
  const lastError = (seconds: number) =>
    `StepTimedOut: The step did not end within ${seconds} s (STEP_TIMEOUT_SECONDS).`;
  expect(await failing()).toContainEqual({
    step: 'index-turns',
    state: 'RETRYING',
    attempts: 1,
    lastError: lastError(1),
  });
  // By now the other steps are done, and no setting is shorter.
  const { limits } = world.ctx.config;
  using _ = world.configured({ limits: { ...limits, stepTimeout: 500 } });
  for (const seconds of [2, 8, 32, 128]) {
    world.now = new Date(world.now.getTime() + seconds * 1000);
    await world.settle();
  }
  // What was slow on its first attempt only is done.
  expect(await failing()).toEqual([
    { step: 'index-turns', state: 'DEAD', attempts: 5, lastError: lastError(0.5) },
  ]);
});
