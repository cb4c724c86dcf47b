import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import type { LabelledConversation, LearnedFact } from './fact-scores.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** Each conversation is a thread. */
export const TOLD = { channel: 'web', titled: true };

/** Reads the facts that hold at the end of each conversation. */
export async function learnedFacts(
  client: Client,
  conversations: readonly LabelledConversation[],
): Promise<{ conversation: LabelledConversation; facts: LearnedFact[] }[]> {
  const learned: { conversation: LabelledConversation; facts: LearnedFact[] }[] = [];
  for (const conversation of conversations) {
    learned.push({ conversation, facts: await activeFacts(client, conversation.id) });
  }
  return learned;
}

const FACTS = `query Facts($userId: String!) {
  user(userId: $userId) {
    facts(first: 100) { edges { node { id category key value statement polarity } } }
  }
}`;

/** Returns the facts of a user that hold. */
export async function activeFacts(client: Client, userId: string): Promise<LearnedFact[]> {
  type Answer = { user: { facts: { edges: { node: LearnedFact }[] } } };
  const { user } = await client.request<Answer>(FACTS, { userId });
  return user.facts.edges.map(({ node }) => node);
}
