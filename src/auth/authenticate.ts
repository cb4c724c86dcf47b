import type { AuthContext } from '../context.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import { isApiKey } from './api-keys.ts';
import { createKeyCache } from './key-cache.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { Unauthenticated } from './unauthenticated.ts';
import { createTokenVerifier } from './user-tokens.ts';

/** A caller's Authorization header, and the address from which it calls. */
export type Credentials = {
  authorization: string | null | undefined;
  address?: string | null | undefined;
};

const LOCAL = {
  kind: 'local',
  userId: 'local',
  key: null,
  access: 'ALL',
  expiresAt: null,
} as const;

/** Identifies a caller by its credentials. @throws Unauthenticated, or TryAgain when they cannot be checked now */
export type Authenticate = (credentials: Credentials) => Promise<Viewer>;

export type Authenticator = {
  authenticate: Authenticate;
  /** Whether the server currently accepts callers without credentials, as the user `local`. */
  isOpen(): Promise<boolean>;
};

/**
 * Creates the authenticator (requirements 16.4). An API key acts for all users or for one, and a JWT for its `sub`.
 * A caller without credentials acts for the user `local`, as long as the server is open: only this machine
 * can reach it, user tokens are not configured and no key was ever created.
 */
export function createAuthenticator(ctx: AuthContext): Authenticator {
  const { auth, limits } = ctx.config;
  const keys = createKeyCache(ctx);
  const verifyToken = createTokenVerifier(auth);
  const failures = createRateLimiter(
    'wrong credentials from this address',
    limits.failedAuthentications,
  );
  let closed = !auth.openWithoutKeys;

  const isOpen = async () => {
    closed ||= await ctx.deployment().apiKeys.exists();
    return !closed;
  };

  const authenticateKey = async (secret: string): Promise<Viewer> => {
    const key = await (keys.cached(secret) ?? keys.find(secret));
    if (!key) throw new Unauthenticated('This API key does not exist or was revoked.');
    const { id, name, userId, access, remaining, previousUntil } = key;
    ctx.keyUses.note(id);
    const granted = {
      key: { id, name },
      access,
      expiresAt: remaining === null ? null : previousUntil,
    };
    return userId === null ? { kind: 'key', ...granted } : { kind: 'user', userId, ...granted };
  };

  const authenticateHeader = async (authorization: string): Promise<Viewer> => {
    const token = tokenOf(authorization);
    if (!token) throw new Unauthenticated('The Authorization header must be "Bearer <token>".');
    if (isApiKey(token)) return authenticateKey(token);
    if (verifyToken) return verifyToken(token);
    throw new Unauthenticated('This is not an API key, and user tokens are not configured.');
  };

  const authenticate: Authenticate = async ({ authorization, address }) => {
    if (!authorization) {
      if (await isOpen()) return LOCAL;
      throw new Unauthenticated('Send "Authorization: Bearer <API key or user token>".');
    }
    try {
      return await authenticateHeader(authorization);
    } catch (error) {
      // Only failures are counted: valid credentials work even while somebody guesses from the same address.
      if (address && error instanceof Unauthenticated) await failures.spend(address);
      throw error;
    }
  };
  return { authenticate, isOpen };
}

const tokenOf = (authorization: string) => /^Bearer +(\S+)$/i.exec(authorization)?.[1];
