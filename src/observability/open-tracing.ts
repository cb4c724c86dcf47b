import type { Logger } from './logger.ts';
import { noTracing, type Tracing } from './tracing.ts';

/**
 * Starts tracing to this collector; without one, tracing does nothing. The OpenTelemetry packages are loaded only when a
 * collector is configured.
 */
export async function openTracing(endpoint: string | null, logger: Logger): Promise<Tracing> {
  if (endpoint === null) return noTracing;
  const { startTracing } = await import('./otlp-tracing.ts');
  return startTracing(endpoint, logger);
}
