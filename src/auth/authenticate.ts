import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Context } from '../context.ts';
import { MemoryError } from '../domain/errors.ts';
import { userIdSchema } from '../domain/turn.ts';
import type { Viewer } from '../domain/viewer.ts';
import { findApiKey, isApiKey } from './api-keys.ts';

/** The caller did not show who it is, or what it showed is not valid. */
export class Unauthenticated extends MemoryError {
  override readonly name = 'Unauthenticated';
  readonly code = 'UNAUTHENTICATED';
}

/** Tells who a caller is from its Authorization header. @throws Unauthenticated */
export type Authenticate = (authorization: string | null | undefined) => Promise<Viewer>;

/**
 * How long a key is believed without a look at the database, in milliseconds. A revocation is
 * announced to all processes and ends that at once; this is for when an announcement is lost.
 */
const KEY_TRUSTED_FOR = 5_000;
const KEYS_KNOWN = 1_000;

/**
 * Makes the function that tells who a caller is from its Authorization header (system.md §11):
 * an API key acts for all users, a JWT for its `sub`, nobody for the user `local` of a server
 * that is open because nothing is configured and no key was ever made.
 */
export function createAuthenticator(ctx: Context): Authenticate {
  const { auth } = ctx.config;
  const jwks = auth.jwksUrl ? createRemoteJWKSet(new URL(auth.jwksUrl)) : null;
  const secret = auth.secret ? new TextEncoder().encode(auth.secret) : null;
  let closed = !auth.openWithoutKeys;

  const isOpen = async () => {
    closed ||= await ctx.store.apiKeys.any(ctx.db);
    return !closed;
  };

  const keys = new Map<string, { id: string; until: number }>();
  ctx.announcer.onChange((userId) => {
    if (userId === null) keys.clear();
  });
  const keyOf = async (secret: string): Promise<string> => {
    const known = keys.get(secret);
    if (known && known.until > performance.now()) return known.id;
    const key = await findApiKey(ctx, secret);
    if (!key) throw new Unauthenticated('This API key does not exist or was revoked.');
    if (keys.size >= KEYS_KNOWN) keys.clear();
    keys.set(secret, { id: key.id, until: performance.now() + KEY_TRUSTED_FOR });
    return key.id;
  };

  return async (authorization) => {
    if (!authorization) {
      if (await isOpen()) return { kind: 'local', userId: 'local' };
      throw new Unauthenticated('Send "Authorization: Bearer <API key or user token>".');
    }
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (!token) throw new Unauthenticated('The Authorization header must be "Bearer <token>".');
    if (isApiKey(token)) {
      return { kind: 'key', keyId: await keyOf(token) };
    }
    const verifier = secret ?? jwks;
    if (!verifier) throw new Unauthenticated('This is no API key, and user tokens are not set up.');
    return { kind: 'user', userId: await verify(token, verifier, auth) };
  };
}

async function verify(
  token: string,
  verifier: Uint8Array | JWTVerifyGetKey,
  { issuer, audience }: Context['config']['auth'],
): Promise<string> {
  const options = {
    ...(issuer ? { issuer } : {}),
    ...(audience ? { audience } : {}),
    requiredClaims: ['sub', 'exp'],
  };
  try {
    const { payload } =
      verifier instanceof Uint8Array
        ? await jwtVerify(token, verifier, { ...options, algorithms: ['HS256'] })
        : await jwtVerify(token, verifier, options);
    return userIdSchema.parse(payload.sub);
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      throw new Unauthenticated(`This user token is not valid: ${error.message}.`);
    }
    throw new Unauthenticated('This user token cannot be checked.', { cause: error });
  }
}
