import { createHmac, randomBytes } from 'node:crypto';

const SALT = randomBytes(32);

/**
 * By which caches know a text: a hash that means nothing outside this process, so that no cache holds on to words that a
 * user has forgotten.
 */
export const textKey = (text: string): string =>
  createHmac('sha256', SALT).update(text).digest('base64url');
