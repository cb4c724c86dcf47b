import { createHash } from 'node:crypto';
import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';

type Client = Pick<GraphQLClient, 'request'>;
type Episode = {
  kind: string;
  firstTurn: number;
  lastTurn: number;
  startedAt: string;
  /** Null if the episode covers several threads. */
  thread: { startedAt: string; turnCount: number } | null;
};

/** Everything derived from the turns, except ids and transaction times. */
const EPISODES = `query Episodes($userId: String!, $after: String) {
  user(userId: $userId) {
    episodes(first: 50, after: $after) {
      edges { node {
        kind firstTurn lastTurn startedAt endedAt title summary topic approach micro meso macro sentence surprise
        capture captureReason stability difficulty revisions { summary }
        captureSignals { notability novelty similarity turnsSince createdToday }
        mergedInto { startedAt firstTurn } skills { name description evidenceTurns }
        thread { startedAt turnCount }
      } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

type Answer = {
  user: {
    episodes: {
      edges: { node: Episode }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };
};

/** The result of an import: a hash of each episode by its place in a thread. */
export async function resultOf(client: Client, userId: string): Promise<Map<string, string>> {
  const result = new Map<string, string>();
  for (let after: string | null = null; ; ) {
    const { user }: Answer = await client.request(EPISODES, { userId, after });
    for (const { node } of user.episodes.edges) {
      if (node.thread === null) continue;
      const place = `${node.thread.startedAt} ${node.kind} ${node.firstTurn}-${node.lastTurn}`;
      if (result.has(place)) throw new Error(`There are two of ${place}.`);
      result.set(place, createHash('sha256').update(JSON.stringify(node)).digest('hex'));
    }
    if (!user.episodes.pageInfo.hasNextPage) return result;
    after = user.episodes.pageInfo.endCursor;
  }
}

/** The places at which two results differ. */
export const differences = (
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter(
    (place) => one.get(place) !== other.get(place),
  );
