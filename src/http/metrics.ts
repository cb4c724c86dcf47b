import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticate } from '../auth/authenticate.ts';
import { Unauthenticated } from '../auth/unauthenticated.ts';
import type { Context } from '../context.ts';
import { Refused } from './refused.ts';

/** Answers /metrics in Prometheus' format, to API keys and on an open server. @throws Refused */
export async function serveMetrics(
  { metrics }: Context,
  authenticate: Authenticate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const viewer = await authenticate(request.headers.authorization).catch((error) => {
    if (error instanceof Unauthenticated) throw new Refused(401, error.code, error.message);
    throw error;
  });
  if (viewer.kind === 'user') {
    throw new Refused(403, 'FORBIDDEN', 'Only an API key may read the metrics.');
  }
  response.setHeader('content-type', metrics.contentType);
  response.end(await metrics.text());
}
