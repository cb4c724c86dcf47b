import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { rememberTurns, type SentTurn } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';

type Conversation = { id: string; turns: readonly SentTurn[] };

/**
 * Stores each conversation in a memory of its own.
 * @param titled whether it is a thread with its id as title; otherwise the channel decides where threads begin
 */
export async function tellAll(
  client: Pick<GraphQLClient, 'request'>,
  conversations: readonly Conversation[],
  { channel, titled = false }: { channel: string; titled?: boolean },
): Promise<void> {
  using sent = showProgress('conversations remembered', conversations.length);
  for (const { id, turns } of conversations) {
    await rememberTurns(client, id, channel, turns, titled ? { title: id } : undefined);
    sent.add(1);
  }
}
