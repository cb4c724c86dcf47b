import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticate } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { addressOf } from './address.ts';
import { Refused } from './refused.ts';

/** Answers /metrics in Prometheus' format, to API keys and on an open server. @throws Refused, Unauthenticated, RateLimited */
export async function serveMetrics(
  { config, metrics }: Context,
  authenticate: Authenticate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const address = addressOf(request, config.limits.trustedProxies);
  const viewer = await authenticate({ authorization: request.headers.authorization, address });
  if (viewer.kind === 'user') {
    throw new Refused(403, 'FORBIDDEN', 'Only an API key may read the metrics.');
  }
  response.setHeader('content-type', metrics.contentType);
  response.end(await metrics.text());
}
