import { setTimeout as delay } from 'node:timers/promises';
import { createMemory, MemoryError } from '@mnemograph/client';
import { runInFlight } from '../support/measure.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Call } from './crash-test/plan.ts';
import { remember, type Sent } from './crash-test/send.ts';

type Server = Pick<ServerProcess, 'url' | 'apiKey'>;

/** The results of calls that were sent until they were acknowledged. */
export type Persisted = {
  sent: Sent[];
  /** The number of answers with a retryable error, and of attempts without an answer. */
  retryable: number;
  unanswered: number;
  /** A line for each unusable answer. */
  problems: string[];
};

const IN_FLIGHT = 8;
const AGAIN_AFTER = 50;
const MOST_ATTEMPTS = 2_000;

/**
 * Sends every call, with its keys, until it is acknowledged.
 *
 * @param serverOf returns the server for the next attempt
 * @param onAcknowledged called with the number of acknowledged calls so far
 */
export async function persist(
  serverOf: () => Server,
  calls: readonly Call[],
  onAcknowledged: (count: number) => void = () => {},
): Promise<Persisted> {
  const seen: Persisted = { sent: [], retryable: 0, unanswered: 0, problems: [] };
  const sendUntilAcknowledged = async (entry: Sent) => {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      try {
        const { url, apiKey } = serverOf();
        // Each attempt is counted here.
        const memory = createMemory({ url, apiKey, retries: 0 });
        const turns = await remember({ memory }, entry.call);
        entry.ids = turns.map(({ turn }) => turn?.id ?? '');
        return onAcknowledged(seen.sent.filter(({ ids }) => ids !== null).length);
      } catch (error) {
        note(seen, error);
        await delay(AGAIN_AFTER);
      }
    }
    seen.problems.push(`a call was not acknowledged in ${MOST_ATTEMPTS} attempts`);
  };
  await runInFlight(calls.length, IN_FLIGHT, (index) => {
    const entry: Sent = { call: calls[index] as Call, sent: true, ids: null };
    seen.sent.push(entry);
    return sendUntilAcknowledged(entry);
  });
  return seen;
}

function note(seen: Persisted, error: unknown): void {
  if (!(error instanceof MemoryError)) seen.problems.push(`a call failed: ${error}`);
  else if (error.code === 'UNREACHABLE') seen.unanswered += 1;
  else if (error.retryable && error.status === 503) seen.retryable += 1;
  else
    seen.problems.push(`a call was answered with ${error.status} ${error.code} ${error.message}`);
}
