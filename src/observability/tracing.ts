/** What is told of a span: numbers and names of closed lists, no word of any memory and no user's name. */
type Attributes = Record<string, string | number | boolean>;

export type SpanDraft = {
  name: string;
  kind?: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'CONSUMER';
  attributes?: Attributes;
  /** The W3C traceparent of what caused it elsewhere; the span that is active if left out. */
  cause?: string | null;
};

/** A span under way. */
export type Span = {
  note(attributes: Attributes): void;
  /** A moment within it. */
  mark(name: string): void;
  /** It failed. Of the error only its code or name is told: its message may quote what somebody said. */
  fail(error: unknown): void;
};

/** OpenTelemetry, as far as it is used here. */
export type Tracing = AsyncDisposable & {
  /** Runs work in a span. */
  span<T>(draft: SpanDraft, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs work in a span if there is one around it: what nobody asked for is not traced. */
  part<T>(draft: SpanDraft, work: (span: Span) => Promise<T>): Promise<T>;
  /** Runs work that is no part of the active span, though that set it off. */
  apart<T>(work: () => T): T;
  /** Tells of a part that took so long until now. */
  ended(draft: SpanDraft, seconds: number, failed: boolean): void;
  /** The active span as W3C traceparent; null if there is none. */
  traceparent(): string | null;
};

const UNTRACED: Span = { note: () => {}, mark: () => {}, fail: () => {} };

/** Runs the work alone. */
export const noTracing: Tracing = {
  span: (_, work) => work(UNTRACED),
  part: (_, work) => work(UNTRACED),
  apart: (work) => work(),
  ended: () => {},
  traceparent: () => null,
  [Symbol.asyncDispose]: async () => {},
};
