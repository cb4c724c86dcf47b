import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { asksForEvents } from './streams/event-streams.ts';

const ROUTES = new Set([
  '/',
  '/graphql',
  '/metrics',
  '/healthz',
  '/readyz',
  '/export',
  '/import',
  '/console',
  '/mcp',
]);

/** The path without the name of a user, or of a file. */
const routeOf = (path: string): string =>
  path.replace(/^(\/(?:export|import))\/[^/]+$/, '$1').replace(/^(\/console)\/.*$/, '$1');

/** Measures a request, and traces GraphQL operations under the caller's trace (W3C traceparent). */
export async function observeRequest(
  { metrics, tracing }: Context,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  answer: () => Promise<void>,
): Promise<void> {
  const started = performance.now();
  const { method = '' } = request;
  const base = routeOf(path);
  // Calls of MCP accept an answer in either form; only GET opens a stream.
  const isStream = base === '/mcp' ? method === 'GET' : asksForEvents(request.headers.accept);
  const route = ROUTES.has(base) ? `${base}${isStream ? ' (stream)' : ''}` : 'other';
  response.once('close', () => {
    const status = response.writableFinished ? String(response.statusCode) : 'aborted';
    const seconds = (performance.now() - started) / 1000;
    metrics.request({ method, route, status, seconds });
  });
  // A stream has no duration to measure.
  if (path !== '/graphql' || isStream) return answer();
  const { traceparent } = request.headers;
  const cause = typeof traceparent === 'string' ? traceparent : null;
  const attributes = { 'http.request.method': method, 'http.route': route };
  const draft = { name: `${method} ${route}`, kind: 'SERVER', cause, attributes } as const;
  await tracing.span(draft, async (span) => {
    await answer();
    span.note({ 'http.response.status_code': response.statusCode });
    if (response.statusCode >= 500) span.fail({ code: response.statusCode });
  });
}
