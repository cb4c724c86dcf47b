import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asStored } from '../../../src/domain/core/vector.ts';
import { embedTurns } from '../../../src/remember/vectors/embed-turns.ts';
import { FLIGHT, TAP, talk } from '../../support/episodes.ts';
import { createEmbeddingWorld, openEmbedder } from '../../support/models/model-embedder.ts';
import type { ModelServer } from '../../support/models/model-server.ts';
import { say } from '../../support/samples/conversation.ts';
import type { World } from '../../support/world.ts';

let server: ModelServer;
let world: World;
beforeAll(async () => {
  ({ server, world } = await createEmbeddingWorld());
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('a turn that has a vector is not embedded again for its segment and episode', async () => {
  const client = await world.user('once');
  const texts = [...TAP, ...FLIGHT];
  await say(client, { channel: 'sms', turns: talk(texts, '2026-03-02T06:00:00Z') });
  await embedTurns(world.ctx, 'once');
  expect(server.requests.flatMap(({ body }) => body.input)).toEqual(expect.arrayContaining(texts));
  // As after a restart, nothing is cached.
  world.with({ embedder: openEmbedder(server, { model: 'old' }) });
  server.requests.length = 0;
  await world.settle();
  const { rows } = await world.ctx.db.pool.query(
    "SELECT count(*)::int AS episodes FROM episodes WHERE user_id = 'once' AND kind = 'SEGMENT'",
  );
  expect(rows[0].episodes).toBeGreaterThan(1);
  const asked = server.requests.flatMap(({ body }) => body.input ?? []);
  expect(asked.filter((text) => texts.includes(text))).toEqual([]);
});

it('the database returns a vector exactly as `asStored` rounds it', async () => {
  const { ctx } = world;
  const memory = ctx.memory('rounding');
  await say(await world.user('rounding'), { channel: 'sms', turns: [{ text: 'a turn' }] });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 }),
      fc.integer({ min: 0, max: 5 }),
      async (values, places) => {
        const vector = Float32Array.from(values, (value) => value / 10 ** places);
        const rounded = asStored(vector);
        const read = (given: Float32Array) =>
          memory.write(async ({ tx, turnVectors }) => {
            const name = 'rounding@64';
            const statement = {
              name: 'clear',
              text: 'DELETE FROM turn_vectors WHERE user_id = $1',
            };
            await tx.query(statement, [tx.userId]);
            await turnVectors.insert(name, [1], [given]);
            return (await turnVectors.stored(name, [1, null, 2]))[0];
          });
        expect(await read(vector)).toEqual(rounded);
        expect(await read(rounded)).toEqual(rounded);
      },
    ),
    // Rounded to half precision it is halfway between two of five places.
    { numRuns: 100, examples: [[Array(64).fill(-0.1562500149), 1]] },
  );
});
