import { webcrypto } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Context } from '../context.ts';
import { TryAgain } from '../domain/core/errors.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import { userIdSchema } from '../domain/turns/turn.ts';
import { Unauthenticated } from './unauthenticated.ts';

/** The key set at JWT_JWKS_URL cannot be fetched, so no token can be verified. */
class KeySetUnavailable extends TryAgain {
  override readonly name = 'KeySetUnavailable';
  readonly code = 'KEY_SET_UNAVAILABLE';
}

/** Asymmetric algorithms only: with HMAC, anyone could forge a token by using a public key of the set as the secret. */
const ASYMMETRIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/**
 * Creates the function that verifies a JWT and returns its user; null when user tokens are not configured.
 * The function throws Unauthenticated for a token that is not valid, and KeySetUnavailable (a TryAgain)
 * when the key set cannot be fetched.
 */
export function createTokenVerifier({
  secret,
  jwksUrl,
  issuer,
  audience,
}: Context['config']['auth']): ((token: string) => Promise<Viewer>) | null {
  const options = {
    ...(issuer ? { issuer } : {}),
    ...(audience ? { audience } : {}),
    requiredClaims: ['sub', 'exp'],
  };
  if (secret) {
    const key = hmacKeyOf(secret);
    return (token) =>
      verify(async () => jwtVerify(token, await key, { ...options, algorithms: ['HS256'] }));
  }
  if (!jwksUrl) return null;
  const keys = keySetOf(jwksUrl);
  return (token) => verify(() => jwtVerify(token, keys, { ...options, algorithms: ASYMMETRIC }));
}

/** The key for HS256. It is imported once: importing takes as long as verifying a token. */
const hmacKeyOf = (secret: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );

/** The key set at this address. jose caches it, and fetches it again when a token names a key that it lacks. */
function keySetOf(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url));
  return (header, token) =>
    keys(header, token).catch((error) => {
      // For an answer that is not a key set, jose throws a generic error.
      const isAboutToken =
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== 'ERR_JOSE_GENERIC';
      if (isAboutToken) throw error;
      throw new KeySetUnavailable(
        'User tokens cannot be checked at the moment: the key set cannot be fetched. Try again.',
        2,
        { cause: error },
      );
    });
}

async function verify(check: () => ReturnType<typeof jwtVerify>): Promise<Viewer> {
  try {
    const { payload } = await check();
    requireTimes(payload);
    // Rounded up: jose compares `exp` with the clock's whole seconds, so it accepts a fractional `exp` until the next second.
    const expiresAt = new Date(Math.ceil(payload.exp as number) * 1000);
    const userId = userIdSchema.parse(payload.sub);
    return { kind: 'user', userId, key: null, access: 'ALL', expiresAt };
  } catch (error) {
    if (error instanceof TryAgain || error instanceof Unauthenticated) throw error;
    if (error instanceof errors.JOSEError) {
      throw new Unauthenticated(`This user token is not valid: ${error.message}.`);
    }
    throw new Unauthenticated('This user token cannot be checked.', { cause: error });
  }
}

/** The latest time that a Date can hold, in seconds since 1970. */
const LAST_SECOND = 8_640_000_000_000;

/** @throws Unauthenticated when a time claim is out of range, for example because it is in microseconds */
function requireTimes(payload: JWTPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const time = payload[name];
    if (time === undefined || (time >= 0 && time <= LAST_SECOND)) continue;
    throw new Unauthenticated(
      `This user token is not valid: "${name}" must be seconds since 1970, from 0 to ${LAST_SECOND.toLocaleString('en')}.`,
    );
  }
}
