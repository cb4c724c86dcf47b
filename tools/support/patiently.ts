import { setTimeout as delay } from 'node:timers/promises';
import { type GraphQLClient, OperationFailed } from '../../src/cli/support/graphql-over-http.ts';

const AGAIN_AFTER = 500;
const LONGEST = 60_000;

/** Repeats a request while the server answers BUSY, for at most a minute. Any other error is thrown. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isBusy =
        error instanceof OperationFailed &&
        error.errors.every(({ extensions }) => extensions?.code === 'BUSY');
      if (!isBusy || performance.now() - began > LONGEST) throw error;
      await delay(AGAIN_AFTER);
    }
  }
}

/** The same server, asked again while it is busy: a machine with much else to do ends no evaluation. */
export function patient<Server extends Pick<GraphQLClient, 'request'>>(server: Server): Server {
  const request = <Data>(query: string, variables?: Record<string, unknown>) =>
    patiently(() => server.request<Data>(query, variables));
  return { ...server, request };
}

/** Settings of a server that is evaluated: every recall waits for the vector of its query, however busy the machine is. */
export const UNHURRIED = { QUERY_VECTOR_DEADLINE_MS: '60000' };
