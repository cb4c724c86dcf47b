import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from './graphql-over-http.ts';
import { CommandFailed } from './run-command.ts';

const JOBS = `query ($userId: String!) {
  user(userId: $userId) {
    jobs(first: 100) { edges { node { step state attempts runAt lastError } } }
  }
}`;
type Job = {
  step: string;
  state: string;
  attempts: number;
  runAt: string;
  lastError: string | null;
};
type Answer = { user: { jobs: { edges: { node: Job }[] } } | null };

/**
 * Waits until a user has no background step that is due, running or failing.
 * @throws CommandFailed when one failed for good, or some are left after `within` milliseconds
 */
export async function untilIndexed(
  client: Pick<GraphQLClient, 'request'>,
  userId: string,
  within: number,
): Promise<void> {
  const deadline = performance.now() + within;
  for (;;) {
    const { user } = await client.request<Answer>(JOBS, { userId });
    const left = (user?.jobs.edges ?? [])
      .map(({ node }) => node)
      .filter(({ state, runAt }) => state !== 'WAITING' || Date.parse(runAt) <= Date.now());
    if (left.length === 0) return;
    if (performance.now() > deadline || left.some(({ state }) => state === 'DEAD')) {
      throw new CommandFailed(
        `Background steps of ${userId} are left: ${left.map(describe).join('; ')}`,
      );
    }
    await delay(50);
  }
}

const describe = ({ step, state, attempts, lastError }: Job): string =>
  `${step} is ${state}, attempt ${attempts}${lastError ? ` (${lastError})` : ''}`;
