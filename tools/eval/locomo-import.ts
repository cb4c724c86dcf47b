import type { Memory } from '@mnemograph/client';
import type { GraphQLClient } from '../../src/cli/support/graphql-over-http.ts';
import { captureEverything, importTurns } from '../../src/cli/support/memory-client.ts';
import { showProgress } from '../../src/cli/support/progress.ts';
import type { LocomoConversation, LocomoTurn } from './locomo.ts';

/** Imports every conversation for a user of its own, every segment of which becomes an episode. */
export async function importAll(
  server: Pick<GraphQLClient, 'request'> & { memory: Memory },
  conversations: readonly LocomoConversation[],
): Promise<void> {
  const turns = conversations.reduce((sum, conversation) => sum + conversation.turns.length, 0);
  using stored = showProgress('turns remembered', turns);
  for (const { id, self, turns: imported } of conversations) {
    await captureEverything(server, id);
    await importTurns(server.memory.as(id), self, imported.map(pastTurn), stored.add);
  }
}

const pastTurn = ({ speaker, text, occurredAt }: LocomoTurn) => ({ speaker, text, occurredAt });
