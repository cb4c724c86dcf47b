import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from './logger.ts';
import { noTracing, type SpanDraft, type TraceSpan, type Tracing } from './tracing.ts';

const NAME = 'mnemograph';
/** How long a shutdown waits for the last spans to be sent, in milliseconds. */
const FLUSH_TIMEOUT = 2_000;

/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP. The packages read the other OTEL_ variables themselves:
 * headers, sampler, service name. No global provider is registered.
 * @param endpoint the collector's base URL, without /v1/traces
 */
export function startTracing(endpoint: string, logger: Logger): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': NAME }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new BatchSpanProcessor(withLog(exporter, logger))],
  });
  const tracer = provider.getTracer(NAME);
  const contexts = new AsyncLocalStorage<Context>();
  const activeContext = () => contexts.getStore();

  const start = ({ name, kind, attributes, cause }: SpanDraft, startTime?: number) => {
    const parent = (cause && contextOf(cause)) || activeContext() || ROOT_CONTEXT;
    const options = { kind: SpanKind[kind ?? 'INTERNAL'], attributes: attributes ?? {} };
    const times = startTime === undefined ? {} : { startTime };
    const span = tracer.startSpan(name, { ...options, ...times }, parent);
    return { span, context: trace.setSpan(parent, span) };
  };
  const run: Tracing['span'] = async (draft, work) => {
    const { span, context } = start(draft);
    try {
      return await contexts.run(context, () => work(spanOf(span)));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    span: run,
    part: (draft, work) => (activeContext() ? run(draft, work) : noTracing.part(draft, work)),
    apart: (work) => contexts.exit(work),
    ended(draft, seconds, failed) {
      if (!activeContext()) return;
      const now = Date.now();
      const { span } = start(draft, now - seconds * 1_000);
      if (failed) fail(span, { code: 'failed' });
      span.end(now);
    },
    traceparent() {
      const context = activeContext();
      const span = context && trace.getSpanContext(context);
      if (!span) return null;
      const { traceId, spanId, traceFlags } = span;
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    },
    async [Symbol.asyncDispose]() {
      const timeout = sleep(FLUSH_TIMEOUT, 'timeout', { ref: false });
      // A failure is not logged here: the exporter has already logged it.
      const outcome = await Promise.race([provider.shutdown().catch(() => 'failed'), timeout]);
      if (outcome === 'timeout') {
        logger.warn({ milliseconds: FLUSH_TIMEOUT }, 'tracing.flush_failed');
      }
    },
  };
}

/** The context of a remote span; null if the text is not a valid traceparent. */
function contextOf(traceparent: string): Context | null {
  const remote = parseTraceParent(traceparent);
  return remote && trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

const spanOf = (span: OtelSpan): TraceSpan => ({
  note: (attributes) => void span.setAttributes(attributes),
  mark: (name) => void span.addEvent(name),
  fail: (error) => fail(span, error),
});

function fail(span: OtelSpan, error: unknown): void {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
}

/** Logs a failed export. The spans are lost; the server goes on. */
function withLog(exporter: SpanExporter, logger: Logger): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) {
          logger.warn({ err: result.error, spans: spans.length }, 'tracing.export_failed');
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
