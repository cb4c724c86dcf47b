import type { GraphQLClient } from '../support/graphql-over-http.ts';
import { CommandFailed } from '../support/run-command.ts';

/** A hit, ready to be printed. */
export type Hit = {
  speaker: string;
  text: string;
  channel: string;
  occurredAt: string;
  score: number;
  /** How it was found, for people to read. */
  found: string;
};

const RECALL = `query ($input: RecallInput!) {
  recall(input: $input) {
    ... on RecallPayload {
      hits { score explain { bm25Rank vectorRank } ... on TurnHit { turn { role speaker text channel occurredAt } } }
    }
    ... on Error { message }
  }
}`;
type Ranks = { bm25Rank: number | null; vectorRank: number | null };
type Answer = {
  recall: {
    hits?: {
      score: number;
      turn: {
        role: string;
        speaker: string | null;
        text: string;
        channel: string;
        occurredAt: string;
      };
      explain: Ranks;
    }[];
    message?: string;
  };
};

/** Recalls the best turns for a question. @throws CommandFailed when the server refuses the query */
export async function ask(client: GraphQLClient, query: string, first: number): Promise<Hit[]> {
  const { recall } = await client.request<Answer>(RECALL, {
    input: { query, first, kinds: ['TURN'] },
  });
  if (!recall.hits) throw new CommandFailed(recall.message ?? 'The recall failed.');
  return recall.hits.map(({ score, turn: { role, ...turn }, explain }) => ({
    ...turn,
    speaker: turn.speaker ?? (role === 'USER' ? 'the person' : role.toLowerCase()),
    score,
    found: describeRanks(explain),
  }));
}

function describeRanks({ bm25Rank, vectorRank }: Ranks): string {
  const ranks = [
    ...(bm25Rank === null ? [] : [`no. ${bm25Rank} by keywords`]),
    ...(vectorRank === null ? [] : [`no. ${vectorRank} by semantic similarity`]),
  ];
  return ranks.join(', ') || 'found next to another turn';
}
