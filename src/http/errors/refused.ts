import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Unauthenticated } from '../../auth/unauthenticated.ts';
import {
  Forbidden,
  InvalidArchive,
  InvalidInput,
  MemoryError,
  MemoryNotEmpty,
  NotFound,
  TryAgain,
} from '../../domain/core/errors.ts';
import { statusOf } from './errors.ts';

/** A request that is refused before it is executed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  /** In how many seconds to try again; null if that does not help. */
  readonly retryAfter: number | null;
  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const STATUSES = [
  [Unauthenticated, 401],
  [Forbidden, 403],
  [NotFound, 404],
  [MemoryNotEmpty, 409],
  [InvalidArchive, 422],
  [InvalidInput, 400],
] as const;

/** The response to a failure that the caller can do something about; null for other failures. */
export function refusalOf(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  if (error instanceof TryAgain) {
    return new Refused(statusOf(error), error.code, error.message, error.retryAfter);
  }
  if (!(error instanceof MemoryError)) return null;
  const status = STATUSES.find(([kind]) => error instanceof kind)?.[1];
  return status ? new Refused(status, error.code, error.message) : null;
}

/** Answers with an error in the form of a GraphQL error. */
export function refuseRequest(
  response: ServerResponse,
  { status, code, message, retryAfter }: Refused,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const again = retryAfter === null ? {} : { retryable: true, retryAfter };
  const body = JSON.stringify({ errors: [{ message, extensions: { code, ...again } }] });
  if (retryAfter !== null) response.setHeader('retry-after', retryAfter);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** How long a client may take to read the refusal of a WebSocket, in milliseconds. */
const HEAR = 2_000;

/** Refuses a WebSocket and closes the connection. */
export function refuseUpgrade(socket: Duplex, { status, message }: Refused): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(message)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}`);
  socket.resume();
  setTimeout(() => socket.destroy(), HEAR).unref();
}
