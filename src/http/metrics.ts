import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Authenticate, Unauthenticated } from '../auth/authenticate.ts';
import type { Context } from '../context.ts';
import { Refused } from './refused.ts';
import { within } from './within.ts';

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 2_000;

/** Answers /metrics in Prometheus' format, to API keys and on an open server. @throws Refused */
export async function serveMetrics(
  ctx: Context,
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
  const { metrics, store, db, clock, logger } = ctx;
  const steps = await within(PATIENCE, store.jobDepth.read(db, clock())).catch((error) => {
    logger.warn({ err: error }, 'metrics.database_away');
    return null;
  });
  metrics.backlog(steps);
  metrics.pool(db.pool);
  response.setHeader('content-type', metrics.contentType);
  response.end(await metrics.text());
}
