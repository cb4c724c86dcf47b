import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsWith } from '../../support/database/dump.ts';
import { graphql } from '../../support/generated/gql.ts';
import type { ForgetInput } from '../../support/generated/graphql.ts';
import { REMEMBER, say, sayAt } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const FORGET = graphql(`
  mutation Forget($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        threads
        turns
        postings
        vectors
        episodes
      }
      ... on Error {
        code
      }
    }
  }
`);
const forget = async (client: Client, input: ForgetInput) =>
  (await client.execute(FORGET, { input })).forget;

it('forgetting a turn erases its words everywhere and renumbers its thread', async () => {
  const client = await world.user('turn');
  const [, secret] = await say(client, {
    channel: 'sms',
    turns: [
      { text: 'before', occurredAt: '2026-03-02T08:00:00Z' },
      { text: 'my zanzibar secret', occurredAt: '2026-03-02T08:01:00Z', idempotencyKey: 's' },
      { text: 'after', occurredAt: '2026-03-02T08:02:00Z' },
    ],
  });
  await world.settle();
  expect(await rowsWith(world, 'zanzibar')).toEqual(['episodes', 'postings', 'turns']);
  const gone = await forget(client, { turnId: secret?.id ?? '' });
  expect(gone).toMatchObject({ threads: 0, turns: 1, postings: 2, vectors: 3, episodes: 2 });
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  await world.settle();
  expect(await rowsWith(world, 'zanzibar')).toEqual([]);
  const last = await sayAt(client, '08:03', 'one more');
  expect(last).toMatchObject({ number: 3, thread: { turnCount: 3 } });
  expect(await forget(client, { turnId: secret?.id ?? '' })).toMatchObject({ code: 'NOT_FOUND' });
});

it('a redelivery of a forgotten turn does not bring the words back', async () => {
  const client = await world.user('redelivery');
  const input = { channel: 'sms', turns: [{ text: 'gone quagga', idempotencyKey: 'k' }] };
  const [turn] = await say(client, input);
  await forget(client, { threadId: turn?.thread.id ?? '' });
  const { remember } = await client.execute(REMEMBER, { input });
  expect(remember).toMatchObject({ turns: [{ status: 'FORGOTTEN', turn: null }] });
  expect(await rowsWith(world, 'quagga')).toEqual([]);
});

it('forgetting a thread or a user erases everything derived, and nothing of other users', async () => {
  const client = await world.user('whole');
  const other = await world.user('bystander');
  const { thread } = await sayAt(client, '08:00', 'axolotl one');
  await sayAt(client, '08:50', 'axolotl two');
  await sayAt(other, '08:00', 'axolotl of somebody else');
  await world.settle();
  expect(await forget(client, { threadId: thread.id })).toMatchObject({ threads: 1, turns: 1 });
  expect(await forget(client, { everythingOf: 'bystander' })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await forget(client, { everythingOf: 'whole' })).toMatchObject({ threads: 1, turns: 1 });
  const { rows } = await world.ctx.db.pool.query(
    'SELECT user_id, text FROM turns WHERE text ~ $1',
    ['axolotl'],
  );
  expect(rows).toEqual([{ user_id: 'bystander', text: 'axolotl of somebody else' }]);
  const left = await world.ctx.db.pool.query(
    `SELECT turn_count, word_count FROM users WHERE user_id = 'whole'`,
  );
  expect(left.rows).toEqual([{ turn_count: 0, word_count: 0 }]);
});

it('forgetting a user with an empty id erases nothing', async () => {
  const client = await world.user('empty-name');
  await sayAt(client, '08:00', 'still here');
  expect(await forget(client, { everythingOf: '' })).toMatchObject({ code: 'NOT_FOUND' });
  expect((await sayAt(client, '08:01', 'and here')).number).toBe(2);
});

it('a step that was running cannot write forgotten words back', async () => {
  const client = await world.user('race');
  const turn = await sayAt(client, '08:00', 'okapi');
  const { indexer } = world.ctx;
  {
    const terms: typeof indexer.terms = async (texts) => {
      const result = await indexer.terms(texts);
      await forget(client, { turnId: turn.id });
      return result;
    };
    using _ = world.with({ indexer: { ...indexer, terms } });
    await world.settle();
  }
  expect(await rowsWith(world, 'okapi')).toEqual([]);
  expect((await sayAt(client, '08:01', 'still works')).text).toBe('still works');
  await world.settle();
  expect(await rowsWith(world, 'okapi')).toEqual([]);
});

it('a step that fails after a forget leaves none of the words in its error', async () => {
  const client = await world.user('failing');
  const turn = await sayAt(client, '08:00', 'okapi');
  {
    const terms = async (texts: readonly string[]) => {
      await forget(client, { turnId: turn.id });
      throw new Error(`cannot index ${texts[0]}`);
    };
    using _ = world.with({ indexer: { ...world.ctx.indexer, terms } });
    await world.settle();
  }
  const { rows } = await world.ctx.db.pool.query(
    `SELECT last_error FROM jobs WHERE user_id = 'failing' AND step = 'index-turns'`,
  );
  expect(rows).toEqual([{ last_error: 'It failed while something was forgotten.' }]);
  expect(await rowsWith(world, 'okapi')).toEqual([]);
});
