import { expect, it } from 'vitest';
import { createApiKey, rotateApiKey } from '../../src/auth/api-keys.ts';
import { sayAt } from '../support/samples/conversation.ts';
import { createTestServer } from '../support/server.ts';
import { createWorld, userToken } from '../support/world.ts';

const SESSION = { query: '{ session { kind userId access keyName expiresAt } }' };
const DEPLOYMENT = {
  query: '{ deployment { version embedder reasoner database users turns backlog deadJobs } }',
};
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

it('session says who is calling: a user token, a key for all, and a key that was rotated away', async () => {
  await using server = await createTestServer();
  const token = await server.post(SESSION, bearer(await userToken('ada')));
  expect(token.body.data).toEqual({
    session: {
      ...{ kind: 'USER', userId: 'ada', access: 'ALL', keyName: null },
      expiresAt: expect.stringMatching(/Z$/),
    },
  });
  const { key, secret } = await createApiKey(server.world.ctx, 'app');
  const session = { kind: 'ALL_USERS', userId: null, access: 'ALL', keyName: 'app' };
  const byKey = await server.post(SESSION, bearer(secret));
  expect(byKey.body.data).toEqual({ session: { ...session, expiresAt: null } });
  await rotateApiKey(server.world.ctx, key.id, 10);
  const former = await server.post(SESSION, bearer(secret));
  expect(former.body.data).toEqual({
    session: { ...session, expiresAt: expect.stringMatching(/Z$/) },
  });
});

it('the local user of an open server is told as such, and may see the deployment', async () => {
  await using world = await createWorld({ JWT_SECRET: '' });
  const local = world.client();
  await sayAt(local, '08:00', 'one');
  await sayAt(local, '08:01', 'two');
  expect((await local.post(SESSION)).body.data).toEqual({
    session: { kind: 'LOCAL', userId: 'local', access: 'ALL', keyName: null, expiresAt: null },
  });
  world.statements.length = 0;
  const { body } = await local.post(DEPLOYMENT);
  expect(body.data).toMatchObject({
    deployment: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      embedder: world.ctx.embedder?.name ?? null,
      reasoner: [expect.stringContaining('extractive')],
      database: world.ctx.db.embedded ? 'EMBEDDED' : 'POSTGRESQL',
      users: 1,
      turns: 2,
      backlog: expect.any(Number),
      deadJobs: 0,
    },
  });
  // The other one asks whether the server is open.
  expect(world.statements.filter(({ name }) => !name?.startsWith('api-keys-'))).toHaveLength(1);
});

it('the deployment counts the users, turns and jobs of all, for keys that act for all', async () => {
  await using world = await createWorld();
  for (const name of ['ada', 'ben']) await sayAt(await world.user(name), '08:00', 'hello there');
  await world.ctx.db.pool.query(
    `UPDATE jobs SET dead_at = now() WHERE user_id = 'ada' AND step = 'index-turns'`,
  );
  const { rows } = await world.ctx.db.pool.query('SELECT count(*)::int AS jobs FROM jobs');
  const { body } = await (await world.key()).post(DEPLOYMENT);
  expect(body.data).toMatchObject({
    deployment: { users: 2, turns: 2, deadJobs: 1, backlog: rows[0].jobs - 1 },
  });
  const refused = await (await world.user('ada')).post(DEPLOYMENT);
  expect(refused.body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});
