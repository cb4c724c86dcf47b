import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import { rememberTurns } from '../../../src/cli/support/memory-client.ts';
import { patiently } from '../../support/patiently.ts';

/** Milliseconds until the first fact of a message stood; null when it did not within the wait, or why it could not be told. */
export type FirstFact = { ms: number | null; failed: string | null };

const FACTS =
  'query ($userId: String!) { user(userId: $userId) { facts(first: 1) { edges { node { key } } } } }';
const LOOK_EVERY = 50;
const WITHIN = 30_000;

/** Tells the server something of a user who was silent until now, and waits until it is learned in the background. */
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
