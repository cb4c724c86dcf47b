import { type Authenticator, createAuthenticator } from '../../auth/authenticate.ts';
import { createTrustWatch, type WatchTrust } from '../../auth/watch-trust.ts';
import type { Context } from '../../context.ts';
import { createStreams, type Streams } from './streams.ts';

/** Who may come in, for how long, and how often at a time: the same over HTTP, SSE and WebSocket. */
export type Gate = Authenticator & { watchTrust: WatchTrust; streams: Streams };

export function createGate(ctx: Context): Gate {
  const authenticator = createAuthenticator(ctx);
  const watchTrust = createTrustWatch(ctx, authenticator.authenticate);
  return { ...authenticator, watchTrust, streams: createStreams(ctx) };
}
