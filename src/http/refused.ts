import type { ServerResponse } from 'node:http';

/** A request that is answered without being executed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Answers with an error in the form that GraphQL errors have. */
export function refuse(response: ServerResponse, { status, code, message }: Refused): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
