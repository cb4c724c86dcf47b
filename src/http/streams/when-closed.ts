import type { ServerResponse } from 'node:http';

/** Calls back when a response is closed: at once if it is already, since it would not say so again. */
export function whenClosed(response: ServerResponse, ended: () => void): void {
  if (response.closed) ended();
  else response.once('close', ended);
}
