import { z } from 'zod';

/** An HTTP header takes nothing else. The message must not quote the key. */
export const key = z
  .string()
  .regex(
    /^[\x21-\x7e]*$/,
    'must be ASCII letters, digits and signs, without spaces and line breaks',
  );
const withoutCredentials = (address: string): boolean => {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '';
};
/** Fetch refuses addresses with credentials. */
export const modelServer = (keyName: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine(withoutCredentials, `must not hold a user name or password; use ${keyName}`);
