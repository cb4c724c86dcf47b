import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey } from '../../../src/auth/api-keys.ts';
import { sayAt } from '../../support/samples/conversation.ts';
import { type Client, createWorld, type World } from '../../support/world.ts';

let world: World;
let key: Client;
beforeAll(async () => {
  world = await createWorld({ EMBEDDER: 'none' });
  key = await world.key();
  for (const name of ['zoe', 'Adam', 'adele', 'ben', "o'neil_%"]) {
    await sayAt(await world.user(name), '08:00', 'hello');
  }
});
afterAll(() => world[Symbol.asyncDispose]());

const USERS = `query ($search: String, $first: Int, $after: String, $last: Int, $before: String) {
  users(search: $search, first: $first, after: $after, last: $last, before: $before) {
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    edges { cursor node { userId turnCount timeZone inactivityTimeoutMinutes } } } }`;
type Page = {
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string };
  edges: { cursor: string; node: { userId: string; turnCount: number } }[];
};

async function page(variables: object, client = key) {
  const { body } = await client.post({ query: USERS, variables });
  const { users } = (body.data ?? {}) as { users?: Page };
  return { ...body, users, names: users?.edges.map(({ node }) => node.userId) };
}

it('an API key for all lists the users by name, a page at a time, with one statement a page', async () => {
  world.statements.length = 0;
  const all = await page({});
  expect(world.statements.filter(({ name }) => !name?.startsWith('api-keys-'))).toHaveLength(1);
  expect(all.names?.toSorted()).toEqual(['Adam', 'adele', 'ben', "o'neil_%", 'zoe']);
  expect(all.users?.edges[0]?.node).toMatchObject({
    ...{ turnCount: 1, timeZone: null, inactivityTimeoutMinutes: null },
  });
  const names: string[] = [];
  let after: string | null = null;
  for (;;) {
    const one = await page({ first: 2, after });
    names.push(...(one.names ?? []));
    after = one.users?.pageInfo.endCursor ?? null;
    if (!one.users?.pageInfo.hasNextPage) break;
  }
  expect(names).toEqual(all.names);
  const last = await page({ last: 2 });
  expect(last.names).toEqual(all.names?.slice(-2));
  const before = await page({ last: 2, before: last.users?.edges[0]?.cursor });
  expect(before.names).toEqual(all.names?.slice(1, 3));
});

it('users are searched by a part of their name, whatever its case and whatever its characters', async () => {
  expect((await page({ search: 'AD' })).names?.toSorted()).toEqual(['Adam', 'adele']);
  expect((await page({ search: '_%' })).names).toEqual(["o'neil_%"]);
  const none = await page({ search: 'nobody' });
  expect(none.users).toMatchObject({ edges: [], pageInfo: { startCursor: null, endCursor: null } });
});

it('nobody else may list the users, and a page and its cursor are checked', async () => {
  const forbidden = [{ extensions: { code: 'FORBIDDEN' } }];
  expect((await page({}, await world.user('ben'))).errors).toMatchObject(forbidden);
  const { secret } = await createApiKey(world.ctx, 'own', { userId: 'ben', access: 'ALL' });
  expect((await page({}, world.client(`Bearer ${secret}`))).errors).toMatchObject(forbidden);
  const { secret: reader } = await createApiKey(world.ctx, 'r', { userId: null, access: 'READ' });
  expect((await page({ first: 1 }, world.client(`Bearer ${reader}`))).names).toHaveLength(1);
  const invalid = [{ extensions: { code: 'INVALID_INPUT' } }];
  expect((await page({ first: 101 })).errors).toMatchObject(invalid);
  expect((await page({ after: 'nonsense' })).errors).toMatchObject(invalid);
  expect((await page({ first: 1, last: 1 })).errors).toMatchObject(invalid);
  const [one] = (await page({ first: 1 })).users?.edges ?? [];
  expect((await page({ last: 1, after: one?.cursor })).errors).toMatchObject(invalid);
  expect((await page({ first: 1, before: one?.cursor })).errors).toMatchObject(invalid);
  const back = [{ message: expect.stringContaining('the previous page with "before"') }];
  expect((await page({ last: 101 })).errors).toMatchObject(back);
});
