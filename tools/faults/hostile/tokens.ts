import { SignJWT } from 'jose';

/** A token of a user that is valid for an hour, or until `expires` (seconds since 1970). */
export function userToken(secret: string, userId: string, expires?: number): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setExpirationTime(expires ?? '1h')
    .sign(new TextEncoder().encode(secret));
}
