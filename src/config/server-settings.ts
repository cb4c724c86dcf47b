import { z } from 'zod';

/** A key for a model's server: characters that an HTTP header can carry. The error message must not quote the key. */
export const key = z
  .string()
  .regex(
    /^[\x21-\x7e]*$/,
    'must be ASCII letters, digits and symbols, without spaces and line breaks',
  );

const withoutCredentials = (address: string): boolean => {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '';
};

/** The address of a model's server, without credentials: fetch rejects URLs that contain them. @param keyName the setting to use instead */
export const modelServer = (keyName: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine(withoutCredentials, `must not contain a user name or password; use ${keyName}`);
