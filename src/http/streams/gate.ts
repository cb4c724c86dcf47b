import { type Authenticator, createAuthenticator } from '../../auth/authenticate.ts';
import { createExpiryWatch, type WatchExpiry } from '../../auth/credential-expiry.ts';
import type { AuthContext } from '../../context.ts';
import { createStreams, type Streams } from './streams.ts';

/** Admission for HTTP, SSE and WebSocket: authentication, expiry of credentials, and the limit of streams per caller. */
export type Gate = Authenticator & { watchExpiry: WatchExpiry; streams: Streams };

export function createGate(ctx: AuthContext): Gate {
  const authenticator = createAuthenticator(ctx);
  const watchExpiry = createExpiryWatch(ctx, authenticator.authenticate);
  return { ...authenticator, watchExpiry, streams: createStreams(ctx) };
}
