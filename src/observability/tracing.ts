/** Attributes of a span: numbers, and names from fixed lists. Never text of a memory or a user's name. */
type Attributes = Record<string, string | number | boolean>;

export type SpanDraft = {
  name: string;
  kind?: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'CONSUMER';
  attributes?: Attributes;
  /** The W3C traceparent of the parent span, if that is in another process or has ended; default: the active span. */
  cause?: string | null;
};

/** A span that has not ended. */
export type TraceSpan = {
  /** Adds attributes. */
  note(attributes: Attributes): void;
  /** Adds an event: a point in time within the span. */
  mark(name: string): void;
  /** Marks the span as failed. Only the code or name of the error is recorded: its message may quote a memory. */
  fail(error: unknown): void;
};

/** The part of OpenTelemetry that this server uses. */
export type Tracing = AsyncDisposable & {
  /** Runs work in a span. */
  span<T>(draft: SpanDraft, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Runs work in a child of the active span. Without an active span, it runs untraced. */
  part<T>(draft: SpanDraft, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Runs work outside the active span, for work that the span only started. */
  apart<T>(work: () => T): T;
  /** Records a child span that ended now and took this many seconds. Does nothing without an active span. */
  ended(draft: SpanDraft, seconds: number, failed: boolean): void;
  /** The active span as W3C traceparent; null if there is none. */
  traceparent(): string | null;
};

const UNTRACED: TraceSpan = { note: () => {}, mark: () => {}, fail: () => {} };

/** Tracing that is switched off: it only runs the work. */
export const noTracing: Tracing = {
  span: (_, work) => work(UNTRACED),
  part: (_, work) => work(UNTRACED),
  apart: (work) => work(),
  ended: () => {},
  traceparent: () => null,
  [Symbol.asyncDispose]: async () => {},
};
