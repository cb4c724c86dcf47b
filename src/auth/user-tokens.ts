import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Context } from '../context.ts';
import { TryAgain } from '../domain/core/errors.ts';
import type { Viewer } from '../domain/core/viewer.ts';
import { userIdSchema } from '../domain/turns/turn.ts';
import { Unauthenticated } from './unauthenticated.ts';

/** The key set of JWT_JWKS_URL does not answer, so that no token can be judged. */
class KeySetUnavailable extends TryAgain {
  override readonly name = 'KeySetUnavailable';
  readonly code = 'KEY_SET_UNAVAILABLE';
}

/** Public keys sign these. With HMAC, who knows a public key could sign tokens by it. */
const ASYMMETRIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Makes the function that tells whose token a JWT is; null when no tokens are set up. */
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
    const key = new TextEncoder().encode(secret);
    return (token) => verify(() => jwtVerify(token, key, { ...options, algorithms: ['HS256'] }));
  }
  if (!jwksUrl) return null;
  const keys = keySetOf(jwksUrl);
  return (token) => verify(() => jwtVerify(token, keys, { ...options, algorithms: ASYMMETRIC }));
}

/** The key set at an address: kept, and asked for again when a token names a key that it lacks. */
function keySetOf(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url));
  return (header, token) =>
    keys(header, token).catch((error) => {
      // What jose throws when the address answers with something else than a key set has no class of its own.
      const isKnown =
        error instanceof errors.JOSEError &&
        !(error instanceof errors.JWKSTimeout) &&
        error.code !== 'ERR_JOSE_GENERIC';
      if (isKnown) throw error;
      throw new KeySetUnavailable(
        'User tokens cannot be checked now: the key set does not answer. Try again.',
        2,
        { cause: error },
      );
    });
}

async function verify(check: () => ReturnType<typeof jwtVerify>): Promise<Viewer> {
  try {
    const { payload } = await check();
    requireTimes(payload);
    // Whole seconds are compared, so that a fraction of one is let in to its end.
    const expiresAt = new Date(Math.ceil(payload.exp as number) * 1000);
    return { kind: 'user', userId: userIdSchema.parse(payload.sub), expiresAt };
  } catch (error) {
    if (error instanceof TryAgain || error instanceof Unauthenticated) throw error;
    if (error instanceof errors.JOSEError) {
      throw new Unauthenticated(`This user token is not valid: ${error.message}.`);
    }
    throw new Unauthenticated('This user token cannot be checked.', { cause: error });
  }
}

/** The last second that a date can hold. */
const LAST_SECOND = 8_640_000_000_000;

/** @throws Unauthenticated where a time of the token is none: such as one in microseconds */
function requireTimes(payload: JWTPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const time = payload[name];
    if (time === undefined || (time >= 0 && time <= LAST_SECOND)) continue;
    throw new Unauthenticated(
      `This user token is not valid: "${name}" must be seconds since 1970, from 0 to ${LAST_SECOND.toLocaleString('en')}.`,
    );
  }
}
