import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOnCitus } from '../support/database/database.ts';
import { graphql } from '../support/generated/gql.ts';
import { say, sayAt } from '../support/samples/conversation.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const LOOK = graphql(`
  query Look($userId: String!, $threadId: ID!, $turnId: ID!, $query: String!) {
    user(userId: $userId) {
      turnCount
      turns {
        edges {
          node {
            text
          }
        }
      }
    }
    thread(id: $threadId) {
      title
    }
    node(id: $turnId) {
      __typename
    }
    recall(input: { userId: $userId, query: $query, kinds: [TURN] }) {
      __typename
      ... on RecallPayload {
        hits {
          ... on TurnHit {
            turn {
              text
            }
          }
        }
      }
    }
    own: recall(input: { query: $query, kinds: [TURN] }) {
      ... on RecallPayload {
        hits {
          ... on TurnHit {
            turn {
              text
            }
          }
        }
      }
    }
  }
`);

it("no user sees another user's rows", async () => {
  const owner = await world.user('user1');
  const stranger = await world.user('user10');
  const turn = await sayAt(owner, '08:00', 'the pelican is mine');
  await sayAt(stranger, '08:00', 'the heron is mine');
  await world.settle();
  const variables = {
    userId: 'user1',
    threadId: turn.thread.id,
    turnId: turn.id,
    query: 'whose is the pelican?',
  };
  expect(await stranger.execute(LOOK, variables)).toEqual({
    user: null,
    thread: null,
    node: null,
    recall: { __typename: 'NotFoundError' },
    own: { hits: [{ turn: { text: 'the heron is mine' } }] },
  });
  expect(await owner.execute(LOOK, variables)).toMatchObject({
    user: { turnCount: 1, turns: { edges: [{ node: { text: 'the pelican is mine' } }] } },
    thread: { title: null },
    node: { __typename: 'Turn' },
    recall: { hits: [{ turn: { text: 'the pelican is mine' } }] },
  });
});

it('an API key acts for the user that it names, and must name one', async () => {
  const key = await world.key();
  const turn = await sayAt(key, '08:00', 'by key', { userId: 'by-key' });
  expect(
    (
      await (
        await world.user('by-key')
      ).execute(LOOK, {
        userId: 'by-key',
        threadId: turn.thread.id,
        turnId: turn.id,
        query: 'key',
      })
    ).user,
  ).toMatchObject({ turnCount: 1 });
  const { body } = await key.post({
    query: '{ recall(input: { query: "x" }) { ... on InvalidInputError { issues { path } } } }',
  });
  expect(body.data).toEqual({ recall: { issues: [{ path: 'input.userId' }] } });
});

/** Runs a statement that does not filter by its user. */
const asB = (name: string, text: string) =>
  world.ctx.db.asUser('rls-b', (tx) => tx.query({ name, text }, []));

it('row-level security hides rows from a statement that filters by another user, and refuses to write them', async () => {
  await sayAt(await world.user('rls-a'), '08:00', 'a');
  expect(await asB('foreign-turns', `SELECT * FROM turns WHERE user_id = 'rls-a'`)).toEqual([]);
  const write = asB('foreign-user', `INSERT INTO users (user_id) VALUES ('rls-c')`);
  await expect(write).rejects.toThrow(/row-level security/);
});

// On Citus it is refused: test/db/distributed.test.ts.
it.skipIf(isOnCitus)(
  'row-level security hides rows from a statement without a filter',
  async () => {
    await sayAt(await world.user('rls-a'), '08:30', 'b');
    expect(await asB('all-turns', 'SELECT * FROM turns')).toEqual([]);
  },
);

it('a user token cannot create API keys', async () => {
  const { body } = await (await world.user('nobody')).post({
    query: 'mutation { createApiKey(name: "x") { ... on Error { code } } }',
  });
  expect(body.data).toEqual({ createApiKey: { code: 'FORBIDDEN' } });
});

it("another user's cursor is refused, not answered with an empty page", async () => {
  const page = (after: string | null) => ({
    query:
      'query ($after: String) { viewer { turns(after: $after) { edges { cursor node { text } } } } }',
    variables: { after },
  });
  const owner = await world.user('pages');
  await sayAt(owner, '08:00', 'one');
  await sayAt(owner, '08:01', 'two');
  const { body } = await owner.post(page(null));
  const { edges } = (body.data as { viewer: { turns: { edges: { cursor: string }[] } } }).viewer
    .turns;
  const cursor = edges[0]?.cursor ?? '';
  expect((await owner.post(page(cursor))).body.data).toMatchObject({
    viewer: { turns: { edges: [{ node: { text: 'two' } }] } },
  });
  const stranger = await world.user('pages-stranger');
  await sayAt(stranger, '08:00', 'mine');
  for (const after of [cursor, 'nonsense', Buffer.from('GPC:S:x').toString('base64')]) {
    const { body: refused } = await stranger.post(page(after));
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT' }, message: expect.stringContaining('turns.after') },
    ]);
  }
});

it("another user's idempotency key is a new key, and reveals nothing", async () => {
  const send = async (userId: string, text: string) => {
    const turns = [{ text, idempotencyKey: 'the same' }];
    return say(await world.user(userId), { channel: 'sms', turns });
  };
  expect(await send('keyed', 'the pelican is mine')).toMatchObject([{ status: 'STORED' }]);
  expect(await send('keyed-stranger', 'the heron is mine')).toMatchObject([
    { status: 'STORED', text: 'the heron is mine' },
  ]);
});
