import { afterAll, beforeAll } from 'vitest';
import { createWorld, type World } from '../world.ts';

/** Opens a world without an embedder for the tests of a `describe`. `rows` looks into its database, with all rights. */
export function openWorldToLookInto() {
  let opened: World;
  beforeAll(async () => {
    opened = await createWorld({ EMBEDDER: 'none' });
  });
  afterAll(() => opened[Symbol.asyncDispose]());
  return {
    world: () => opened,
    rows: async <Row extends object>(sql: string, values: unknown[] = []) =>
      (await opened.ctx.db.pool.query<Row>(sql, values)).rows,
  };
}
