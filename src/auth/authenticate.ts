import type { Context } from '../context.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import { isApiKey } from './api-keys.ts';
import { createKeyCache } from './key-cache.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { Unauthenticated } from './unauthenticated.ts';
import { createTokenVerifier } from './user-tokens.ts';

/** What a caller shows of itself: its Authorization header, and the address that it calls from. */
export type Credentials = {
  authorization: string | null | undefined;
  address?: string | null | undefined;
};

/** Tells who a caller is. @throws Unauthenticated, RateLimited */
export type Authenticate = (credentials: Credentials) => Promise<Viewer>;

export type Authenticator = {
  authenticate: Authenticate;
  /** Whether who shows no credentials is let in now, as the user `local`. */
  isOpen(): Promise<boolean>;
};

/**
 * Makes what tells who a caller is from its Authorization header (requirements 16.4):
 * an API key acts for all users, a JWT for its `sub`, nobody for the user `local` of a server
 * that is open because nothing is configured and no key was ever made.
 */
export function createAuthenticator(ctx: Context): Authenticator {
  const { auth, limits } = ctx.config;
  const keys = createKeyCache(ctx);
  const verifyToken = createTokenVerifier(auth);
  const failures = createRateLimiter(
    'wrong credentials from this address',
    limits.failedAuthentications,
  );
  let closed = !auth.openWithoutKeys;

  const isOpen = async () => {
    closed ||= await ctx.deployment().apiKeys.any();
    return !closed;
  };

  const keyOf = async (secret: string): Promise<Viewer> => {
    const key = await (keys.cached(secret) ?? keys.find(secret));
    if (!key) throw new Unauthenticated('This API key does not exist or was revoked.');
    const { id, remaining, previousUntil } = key;
    return { kind: 'key', keyId: id, expiresAt: remaining === null ? null : previousUntil };
  };

  const viewerOf = async (authorization: string): Promise<Viewer> => {
    const token = tokenOf(authorization);
    if (!token) throw new Unauthenticated('The Authorization header must be "Bearer <token>".');
    if (isApiKey(token)) return keyOf(token);
    if (verifyToken) return verifyToken(token);
    throw new Unauthenticated('This is not an API key, and user tokens are not configured.');
  };

  const authenticate: Authenticate = async ({ authorization, address }) => {
    if (!authorization) {
      if (await isOpen()) return { kind: 'local', userId: 'local', expiresAt: null };
      throw new Unauthenticated('Send "Authorization: Bearer <API key or user token>".');
    }
    try {
      return await viewerOf(authorization);
    } catch (error) {
      // Who has the right ones is let in, whoever guesses at the same address.
      if (address && error instanceof Unauthenticated) await failures.spend(address);
      throw error;
    }
  };
  return { authenticate, isOpen };
}

const tokenOf = (authorization: string) => /^Bearer +(\S+)$/i.exec(authorization)?.[1];
