import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import { createTestServer } from '../support/server.ts';

const VIEWER = { query: '{ viewer { id } }' };
const SECRET = 'a secret for tests that is long enough';

/** The address of a key set, as an identity provider has one. */
async function startKeySet() {
  const keys = new Map<string, { publicKey: object; privateKey: CryptoKey }>();
  let requests = 0;
  let down = false;
  const http = createServer((_request, response) => {
    requests += 1;
    if (down) return void response.writeHead(500).end();
    const all = [...keys].map(([kid, { publicKey }]) => ({ ...publicKey, kid }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys: all }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/keys`,
    requests: () => requests,
    setDown: (is: boolean) => {
      down = is;
    },
    async rotate(kid: string) {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      keys.clear();
      keys.set(kid, { publicKey: await exportJWK(publicKey), privateKey });
    },
    sign: (kid: string, claims: object, key = keys.get(kid)?.privateKey as CryptoKey) =>
      new SignJWT({ sub: 'ann', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime('1h')
        .sign(key),
    publicKey: (kid: string) => keys.get(kid)?.publicKey,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

it('the issuer, the audience and the start time of a token are checked', async () => {
  await using server = await createTestServer({
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'memory',
  });
  const ask = async (claims: object) => {
    const token = await new SignJWT({ sub: 'ann', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET));
    const { status, body } = await server.post(VIEWER, { authorization: `Bearer ${token}` });
    return [status, body.errors?.[0]?.message ?? null];
  };
  const iss = 'https://id.example';
  expect(await ask({ iss, aud: ['other', 'memory'] })).toEqual([200, null]);
  for (const [claims, reason] of [
    [{ iss, aud: 'other' }, '"aud"'],
    [{ iss }, '"aud"'],
    [{ iss: 'https://evil.example', aud: 'memory' }, '"iss"'],
    [{ aud: 'memory' }, '"iss"'],
    [{ iss, aud: 'memory', nbf: Math.floor(Date.now() / 1000) + 60 }, '"nbf"'],
  ] as const) {
    expect(await ask(claims)).toEqual([401, expect.stringContaining(reason)]);
  }
});

it('tokens are verified with a key set, also after its keys changed, and not with a public key as a secret', async () => {
  await using set = await startKeySet();
  await set.rotate('one');
  await using server = await createTestServer({ JWT_SECRET: '', JWT_JWKS_URL: set.url });
  const ask = async (token: string) => {
    const answer = await server.post(VIEWER, { authorization: `Bearer ${token}` });
    return { status: answer.status, code: answer.body.errors?.[0]?.extensions.code };
  };
  const first = await set.sign('one', {});
  expect(await ask(first)).toMatchObject({ status: 200 });
  expect(await ask(first)).toMatchObject({ status: 200 });
  expect(set.requests()).toBe(1);
  const byPublicKey = await new SignJWT({ sub: 'ann' })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(JSON.stringify(set.publicKey('one'))));
  expect(await ask(byPublicKey)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  const { privateKey } = await generateKeyPair('ES256');
  expect(await ask(await set.sign('one', {}, privateKey))).toMatchObject({ status: 401 });

  await set.rotate('two');
  const second = await set.sign('two', {});
  const later = Date.now() + 31_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => later);
  expect(await ask(second)).toMatchObject({ status: 200 });
  expect(await ask(first)).toMatchObject({ status: 401 });
  clock.mockRestore();
});

it('requests get 503 instead of 401 while the key set is unavailable', async () => {
  await using set = await startKeySet();
  await set.rotate('one');
  set.setDown(true);
  await using server = await createTestServer({ JWT_SECRET: '', JWT_JWKS_URL: set.url });
  const token = await set.sign('one', {});
  const ask = () => server.post(VIEWER, { authorization: `Bearer ${token}` });
  const answer = await ask();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(answer.body.errors).toMatchObject([
    { extensions: { code: 'KEY_SET_UNAVAILABLE', retryable: true } },
  ]);
  set.setDown(false);
  expect((await ask()).status).toBe(200);
});
