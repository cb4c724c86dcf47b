import { createHmac } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { createExpiryWatch } from '../../src/auth/credential-expiry.ts';
import type { Context } from '../../src/context.ts';
import type { Viewer } from '../../src/domain/core/viewer.ts';
import { createLocalPublisher } from '../../src/events/publisher.ts';
import { closedWith, createTestServer } from '../support/server.ts';

const SECRET = 'a secret for tests that is long enough';
const VIEWER = { query: '{ viewer { turnCount } }' };

afterEach(() => void vi.useRealTimers());

/** A token with its claims as they stand in this JSON, which can hold more than a number can. */
function tokenOf(claims: string) {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const text = `${part('{"alg":"HS256"}')}.${part(claims)}`;
  const signature = createHmac('sha256', SECRET).update(text).digest('base64url');
  return { authorization: `Bearer ${text}.${signature}` };
}

it('a token with an invalid time is refused over HTTP and WebSocket, and the error names the claim', async () => {
  await using server = await createTestServer();
  const soon = Math.floor(Date.now() / 1000) + 60;
  for (const [claims, name] of [
    ['"exp": 1000000000000000', 'exp'],
    ['"exp": 1e400', 'exp'],
    [`"exp": ${soon}, "nbf": -1`, 'nbf'],
    [`"exp": ${soon}, "iat": 1e17`, 'iat'],
    [`"exp": ${soon}, "iat": -0.5`, 'iat'],
  ]) {
    const credentials = tokenOf(`{ "sub": "ann", ${claims} }`);
    const { status, body } = await server.post(VIEWER, credentials);
    const reason = `This user token is not valid: "${name}" must be seconds since 1970, from 0 to 8,640,000,000,000.`;
    expect([status, body.errors?.[0]?.message]).toEqual([401, reason]);
    expect(await closedWith(server, credentials)).toEqual([4403, reason]);
  }
  for (const claims of [`"exp": ${soon}.5`, '"exp": 8640000000000', `"exp": ${soon}, "nbf": 0.5`]) {
    const { status } = await server.post(VIEWER, tokenOf(`{ "sub": "ann", ${claims} }`));
    expect(status).toBe(200);
  }
});

it('a key that was rotated after a connection began ends it on time, although the database is down by then', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
  const key = { id: 'one', name: 'test' };
  const viewer: Viewer = { kind: 'key', key, access: 'ALL', expiresAt: null };
  let authenticate = async (): Promise<Viewer> => viewer;
  const ctx = { publisher: createLocalPublisher() } as Context;
  const ended = vi.fn();
  createExpiryWatch(ctx, () => authenticate())(viewer, { authorization: 'x' }, ended);
  const expiresAt = new Date('2026-03-02T09:01:00Z');
  authenticate = async () => ({ ...viewer, expiresAt });
  ctx.publisher.publish(null);
  await vi.advanceTimersByTimeAsync(0);
  authenticate = async () => Promise.reject(new Error('the database is down'));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['no end', null],
  ['an end that no date holds', new Date(Number.NaN)],
  ['an end far beyond what a timer holds', new Date(8_640_000_000_000_000)],
  ['an end that has passed by another clock', new Date('2026-03-02T08:59:00Z')],
])('an idle connection with %s is checked once a second at most', async (_what, expiresAt) => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
  const viewer: Viewer = { kind: 'user', userId: 'ann', key: null, access: 'ALL', expiresAt };
  let looks = 0;
  const authenticate = async () => {
    looks += 1;
    return viewer;
  };
  const ctx = { publisher: createLocalPublisher() } as Context;
  const end = createExpiryWatch(ctx, authenticate)(viewer, { authorization: 'x' }, () => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks).toBeLessThanOrEqual(60);
  end();
  expect(vi.getTimerCount()).toBe(0);
});
