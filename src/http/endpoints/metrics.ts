import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { HttpContext } from '../../context.ts';
import { Refused } from '../errors/refused.ts';
import { withTimeout } from '../errors/with-timeout.ts';
import { credentialsOf } from '../requests/credentials.ts';

/** How long the database may take to answer, in milliseconds, before its metrics are left out. */
const PATIENCE = 2_000;

/** Serves /metrics in the Prometheus format, to API keys and, on an open server, to everybody. @throws Refused, Unauthenticated, RateLimited */
export async function serveMetrics(
  ctx: HttpContext,
  authenticate: Authenticate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const viewer = await authenticate(credentialsOf(request, ctx));
  if (viewer.kind === 'user') {
    throw new Refused(403, 'FORBIDDEN', 'Only an API key may read the metrics.');
  }
  const { metrics, turnCache, db, disk, clock, logger } = ctx;
  const steps = await withTimeout(PATIENCE, ctx.deployment().jobDepth.read(clock())).catch(
    (error) => {
      logger.warn({ err: error }, 'metrics.database_away');
      return null;
    },
  );
  metrics.backlog(steps);
  metrics.pool(db.pool, db.waiting());
  metrics.turnCache(turnCache.size());
  metrics.diskFree(disk?.freeBytes() ?? null);
  response.setHeader('content-type', metrics.contentType);
  response.end(await metrics.text());
}
