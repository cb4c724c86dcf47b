import { createHmac, randomBytes } from 'node:crypto';

const SALT = randomBytes(32);

/**
 * The key of a text in a cache: a salted hash that is useless outside this process, so that no cache keeps words that a
 * user has forgotten.
 */
export const textKey = (text: string): string =>
  createHmac('sha256', SALT).update(text).digest('base64url');
