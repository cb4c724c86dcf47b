import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import { rememberTurns } from '../../../src/cli/support/memory-client.ts';
import { patiently } from '../../support/patiently.ts';

/** How many milliseconds it took until a message's fact was recorded; null if it was not in time. `failed`: why it could not be sent. */
export type FirstFact = { ms: number | null; failed: string | null };

const FACTS =
  'query ($userId: String!) { user(userId: $userId) { facts(first: 1) { edges { node { key } } } } }';
const LOOK_EVERY = 50;
const WITHIN = 30_000;

/** Sends a message of a new user, and waits until the background work has recorded its fact. */
export async function firstFact(
  client: Pick<GraphQLClient, 'request'>,
  userId: string,
): Promise<FirstFact> {
  const began = performance.now();
  try {
    await rememberTurns(client, userId, 'sms', [
      {
        role: 'USER',
        text: 'I work as a nurse at a hospital in Porto.',
        occurredAt: new Date().toISOString(),
      },
    ]);
    while (performance.now() - began < WITHIN) {
      type Answer = { user: { facts: { edges: unknown[] } } };
      const { user } = await patiently(() => client.request<Answer>(FACTS, { userId }));
      if (user.facts.edges.length > 0) return { ms: performance.now() - began, failed: null };
      await delay(LOOK_EVERY);
    }
    return { ms: null, failed: null };
  } catch (error) {
    return { ms: null, failed: (error as Error).message };
  }
}
