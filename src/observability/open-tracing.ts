import type { Logger } from './logger.ts';
import { noTracing, type Tracing } from './tracing.ts';

/** The packages are loaded where traces are wanted. */
export async function openTracing(endpoint: string | null, logger: Logger): Promise<Tracing> {
  if (endpoint === null) return noTracing;
  const { startTracing } = await import('./otlp-tracing.ts');
  return startTracing(endpoint, logger);
}
