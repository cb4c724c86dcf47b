import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../auth/authenticate.ts';
import type { Context } from '../../context.ts';
import { addressOf } from './address.ts';

/** The credentials and address of a request's caller. */
export const credentialsOf = (
  request: IncomingMessage,
  { config: { limits } }: Context,
): Credentials => ({
  authorization: request.headers.authorization,
  address: addressOf(request, limits.trustedProxies),
});
