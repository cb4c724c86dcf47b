import type { GraphQLClient } from '../support/graphql-over-http.ts';
import { CommandFailed } from '../support/run-command.ts';
import type { Sample } from './sample.ts';

/** A stored conversation: its channel, thread title, number of turns and the time of the first turn. */
type Stored = { channel: string; thread: string | undefined; count: number; first: string };

const REMEMBER = `mutation ($input: RememberInput!) {
  remember(input: $input) {
    ... on RememberPayload { turns { turn { thread { id } } } }
    ... on Error { message }
  }
}`;
type Answer = { remember: { turns?: { turn: { thread: { id: string } } }[]; message?: string } };

/**
 * Sends the conversations one after the other, and yields each once it is stored. The first conversation with a title
 * opens a thread; later ones with the same title continue it.
 * @throws CommandFailed when the server refuses one
 */
export async function* tell(client: GraphQLClient, sample: Sample): AsyncGenerator<Stored> {
  const threadIds = new Map<string, string>();
  for (const { channel, thread, turns } of sample.conversations) {
    const threadId = thread === undefined ? undefined : threadIds.get(thread);
    const target =
      threadId !== undefined
        ? { threadId }
        : thread !== undefined
          ? { newThread: { title: thread } }
          : {};
    const { remember } = await client.request<Answer>(REMEMBER, {
      input: { channel, ...target, turns },
    });
    const id = remember.turns?.[0]?.turn.thread.id;
    if (id === undefined) throw new CommandFailed(remember.message ?? 'Nothing was stored.');
    if (thread !== undefined) threadIds.set(thread, id);
    yield { channel, thread, count: turns.length, first: turns[0]?.occurredAt ?? '' };
  }
}
