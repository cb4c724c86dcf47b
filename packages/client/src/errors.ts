/** One problem of an input: its path, and what is wrong and allowed. */
export type InputIssue = { path: string; message: string };

/** An error of a GraphQL answer, as the server sends it. */
export type AnswerError = {
  message: string;
  path?: readonly (string | number)[];
  extensions?: {
    code?: string;
    retryable?: boolean;
    retryAfter?: number;
    issues?: readonly InputIssue[];
  };
};

/** The codes of the client itself, and those of the server that a caller is most likely to handle. The server has more. */
export type MemoryErrorCode =
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'BAD_ANSWER'
  | 'NO_TOKEN'
  | 'BAD_REQUEST'
  | 'INVALID_INPUT'
  | 'NOT_FOUND'
  | 'THREAD_CLOSED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'MODEL_UNAVAILABLE'
  | 'NOTHING_TO_SYNTHESIZE'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'CURSOR_INVALID'
  | 'CURSOR_EXPIRED'
  | 'RATE_LIMITED'
  | 'BUSY'
  | 'DATABASE_UNAVAILABLE'
  | (string & {});

/** What is known of a failure besides its code and message. */
export type ErrorDetails = {
  /** Whether the same call may succeed later, without any change. */
  retryable?: boolean | undefined;
  /** In how many seconds to try again, where the server says so. */
  retryAfter?: number | undefined;
  /** When to try again, for MODEL_UNAVAILABLE; in RFC 3339. */
  retryAt?: string | undefined;
  /** The problems of the input, for INVALID_INPUT. */
  issues?: readonly InputIssue[] | undefined;
  /** The status of the HTTP response, if there was one. */
  status?: number | undefined;
  /** All errors of the answer, as the server sent them. */
  errors?: readonly AnswerError[] | undefined;
  cause?: unknown;
};

/** The one error that the client throws: whatever the server refuses, and whatever goes wrong on the way. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  readonly code: MemoryErrorCode;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly retryAt: string | undefined;
  readonly issues: readonly InputIssue[];
  readonly status: number | undefined;
  readonly errors: readonly AnswerError[];

  constructor(code: MemoryErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.retryAfter = details.retryAfter;
    this.retryAt = details.retryAt;
    this.issues = details.issues ?? [];
    this.status = details.status;
    this.errors = details.errors ?? [];
  }
}

/** An expected error of a result union. */
type Refusal = {
  __typename: string;
  code: string;
  message: string;
  issues?: readonly InputIssue[];
  retryAt?: string;
};

/** The members of a result union that are no errors. */
export type Payload<Result> = Exclude<NonNullable<Result>, { code: string; message: string }>;

/** Returns the payload of a result union. @throws MemoryError when it is an error instead */
export function payloadOf<Result>(result: Result): Payload<Result> {
  const { __typename = '', code, message, ...details } = (result ?? {}) as Partial<Refusal>;
  if (!__typename.endsWith('Error')) return result as Payload<Result>;
  throw new MemoryError(code ?? 'BAD_ANSWER', message ?? __typename, details);
}

/** The error for the errors of a GraphQL answer. It can be retried if all of them can. */
export function errorOf(
  errors: readonly AnswerError[],
  status?: number,
  retryAfter?: number,
): MemoryError {
  const [first] = errors;
  const { code = 'BAD_ANSWER', issues } = first?.extensions ?? {};
  const waits = errors.map(({ extensions }) => extensions?.retryAfter ?? 0);
  const isRetryable = errors.every(({ extensions }) => extensions?.retryable === true);
  return new MemoryError(code, errors.map(({ message }) => message).join('; '), {
    status,
    errors,
    issues,
    retryable: isRetryable || (status !== undefined && isTemporary(status)),
    retryAfter: retryAfter ?? (Math.max(...waits) || undefined),
  });
}

/** Whether a status says that the request was refused only for now. */
export const isTemporary = (status: number): boolean => status === 429 || status === 503;
