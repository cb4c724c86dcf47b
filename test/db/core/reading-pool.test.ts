import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAs, readingPool } from '../../../src/db/core/reading-pool.ts';
import { graphql } from '../../support/generated/gql.ts';
import { say } from '../../support/samples/conversation.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const TEXTS = graphql(`
  query TextsOfAll {
    viewer {
      threads {
        edges {
          node {
            turns {
              edges {
                node {
                  text
                }
              }
            }
          }
        }
      }
    }
  }
`);

it('of reads that run at once, each sees the rows of its user only', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `reader-${number}`);
  const users = await Promise.all(names.map((name) => world.user(name)));
  for (const user of users) {
    const turns = [{ text: `I am ${user.userId}.`, occurredAt: '2026-03-01T09:00:00Z' }];
    await say(user, { channel: 'voice', turns });
  }
  const answers = await Promise.all([...users, ...users].map((user) => user.execute(TEXTS)));
  const texts = answers.map(({ viewer }) =>
    viewer?.threads.edges.map((thread) => thread?.node.turns.edges.map((edge) => edge?.node.text)),
  );
  expect(texts).toEqual([...names, ...names].map((name) => [[`I am ${name}.`]]));
});

it('a read whose transaction cannot begin returns nothing, and its connection can be used again', async () => {
  const { pool } = world.ctx.db;
  const { query } = pg.Client.prototype;
  const read = () =>
    world.ctx.db.prisma('reader-1').turn.findMany({ where: { userId: 'reader-1' } });
  for (let time = 0; time < pool.options.max + 1; time += 1) {
    using _ = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...sent: unknown[]
    ) {
      const isBegin = String(sent[0]).startsWith('BEGIN READ ONLY');
      return Reflect.apply(query, this, isBegin ? ['BEGIN; SELECT 1 / 0'] : sent);
    });
    await expect(read()).rejects.toThrow('division by zero');
  }
  expect(await read()).toHaveLength(1);
  expect(pool.waitingCount).toBe(0);
});

it.each(['COMMIT', 'ROLLBACK'])(
  'a statement after %s is not sent: nobody’s settings hold there',
  async (text) => {
    const pool = readingPool(world.ctx.db.pool);
    const client = await readAs({ userId: 'reader-1', distributed: false }, () => pool.connect());
    await client.query({ text: 'BEGIN' });
    await client.query({ text });
    await expect(client.query({ text: 'SELECT user_id FROM turns' })).rejects.toThrow('too late');
    client.release();
    await expect(client.query({ text: 'SELECT user_id FROM turns' })).rejects.toThrow('too late');
  },
);

it('Prisma can send nothing outside of such a transaction', async () => {
  const pool = readingPool(world.ctx.db.pool);
  expect(() => pool.query('SELECT 1')).toThrow('outside of a transaction');
  await expect(pool.connect()).rejects.toThrow('outside of `readAs`');
});
