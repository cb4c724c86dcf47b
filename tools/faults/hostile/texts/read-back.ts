import type { GraphQLClient } from '../../../../src/cli/support/graphql-over-http.ts';
import { patiently } from '../../../support/patiently.ts';
import type { SentTurn } from './deliveries.ts';

type Client = Pick<GraphQLClient, 'request'>;
type Page = {
  user: {
    turns: { edges: { node: SentTurn }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  } | null;
};

/** How many turns to read at once: with the longest texts and tool results that is a few megabytes. */
const AT_ONCE = 8;
const TURNS = `query ($userId: String!, $first: Int!, $after: String) {
  user(userId: $userId) { turns(first: $first, after: $after) {
    edges { node { role speaker text toolCalls { name ok result } } } pageInfo { hasNextPage endCursor }
  } }
}`;
const SHOWN = 60;

/** Compares the stored turns of a user with what was sent, word for word. @returns a line for each missing, altered or additional turn */
export async function readBack(
  client: Client,
  userId: string,
  sent: readonly SentTurn[],
): Promise<string[]> {
  const left = new Map<string, number>();
  for (const turn of sent) left.set(keyOf(turn), (left.get(keyOf(turn)) ?? 0) + 1);
  for (let after: string | null = null; ; ) {
    const variables: Record<string, unknown> = { userId, first: AT_ONCE, after };
    const { user }: Page = await patiently(() => client.request<Page>(TURNS, variables));
    for (const { node } of user?.turns.edges ?? []) {
      left.set(keyOf(node), (left.get(keyOf(node)) ?? 0) - 1);
    }
    if (!user?.turns.pageInfo.hasNextPage) break;
    after = user.turns.pageInfo.endCursor;
  }
  return [...left].flatMap(([key, count]) => {
    if (count === 0) return [];
    const what = count > 0 ? 'missing or altered' : 'stored and was not sent, or is doubled';
    return [`${userId}: a turn is ${what}: ${key.slice(0, SHOWN)}… (${key.length} characters)`];
  });
}

const keyOf = ({ role, speaker, text, toolCalls }: SentTurn): string =>
  JSON.stringify([
    role,
    speaker,
    text,
    toolCalls.map(({ name, ok, result }) => [name, ok, result ?? null]),
  ]);
