import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createApiKey, revokeApiKey } from '../../../src/auth/api-keys.ts';
import { createTestServer } from '../../support/server.ts';
import { userToken } from '../../support/world.ts';

const VIEWER = { query: '{ viewer { turnCount } }' };

it('invalid credentials are answered with 401 and the reason', async () => {
  await using server = await createTestServer();
  const { key, secret } = await createApiKey(server.world.ctx, 'to revoke');
  await revokeApiKey(server.world.ctx, key.id);
  const signed = (claims: object, alg = 'HS256') => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg })}.${part(claims)}`;
  };
  const exp = Math.floor(Date.now() / 1000) + 60;
  const code = 'a secret for tests that is long enough';
  const hs = (claims: object, alg?: string) => {
    const text = signed(claims, alg);
    return `${text}.${createHmac('sha256', code).update(text).digest('base64url')}`;
  };
  expect((await server.post(VIEWER, bearer(hs({ sub: 'ann', exp })))).status).toBe(200);
  const wrong: [credentials: string | null, reason: RegExp][] = [
    [null, /Send "Authorization: Bearer <API key or user token>"/],
    ['Basic YTpi', /must be "Bearer <token>"/],
    ['Bearer nonsense', /not valid: Invalid Compact JWS/],
    ['Bearer a.b.c', /not valid/],
    [`Bearer ${await userToken('ann', '-1m')}`, /not valid: "exp" claim timestamp check failed/],
    [`Bearer ${await userToken('ann', '1h', 'another secret that is long enough')}`, /signature/],
    [`Bearer ${signed({ sub: 'ann', exp }, 'none')}.`, /"alg"/],
    [`Bearer ${hs({ sub: 'ann', exp }, 'RS256')}`, /"alg"/],
    [
      `Bearer ${await new SignJWT({ sub: 'ann', exp }).setProtectedHeader({ alg: 'HS512' }).sign(new TextEncoder().encode(code.repeat(2)))}`,
      /"alg"/,
    ],
    [`Bearer ${hs({ exp })}`, /missing required "sub" claim/],
    [`Bearer ${hs({ sub: 'ann' })}`, /missing required "exp" claim/],
    [`Bearer ${hs({ sub: '', exp })}`, /user token/],
    ['Bearer mnemo_wrong', /This API key does not exist or was revoked/],
    [`Bearer ${secret}`, /This API key does not exist or was revoked/],
  ];
  for (const [credentials, reason] of wrong) {
    const headers: Record<string, string> = credentials ? { authorization: credentials } : {};
    const { status, body } = await server.post(VIEWER, headers);
    expect(status).toBe(401);
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(reason),
          extensions: { code: 'UNAUTHENTICATED' },
        },
      ],
    });
  }
});

it('a key that is revoked while a slow body arrives is refused', async () => {
  const note = vi.fn();
  const noting = (ctx: App): App => ({ ...ctx, keyUses: { ...ctx.keyUses, note } });
  await using server = await createTestServer({}, {}, noting);
  const { key, secret } = await createApiKey(server.world.ctx, 'to revoke');
  const body = JSON.stringify({ query: '{ apiKeys { name } }' });
  const headers = { ...bearer(secret), 'content-type': 'application/json' };
  const sent = request(`${server.origin}/graphql`, { method: 'POST', headers });
  const answered = once(sent, 'response');
  sent.write(body.slice(0, 10));
  await expect.poll(() => note.mock.calls.length).toBe(1);
  await revokeApiKey(server.world.ctx, key.id);
  using _later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
  sent.end(body.slice(10));
  const [response] = await answered;
  expect(response.statusCode).toBe(401);
  response.resume();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
