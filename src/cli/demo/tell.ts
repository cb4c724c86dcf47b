import type { GraphQLClient } from '../support/graphql-over-http.ts';
import { CommandFailed } from '../support/run-command.ts';
import type { Sample } from './sample.ts';

/** What was just stored. */
type Told = { channel: string; thread: string | undefined; count: number; first: string };

const REMEMBER = `mutation ($input: RememberInput!) {
  remember(input: $input) {
    ... on RememberPayload { turns { turn { thread { id } } } }
    ... on Error { message }
  }
}`;
type Answer = { remember: { turns?: { turn: { thread: { id: string } } }[]; message?: string } };

/** Sends one conversation after the other; a title opens a thread the first time and names it later. */
export async function* tell(client: GraphQLClient, sample: Sample): AsyncGenerator<Told> {
  const threadIds = new Map<string, string>();
  for (const { channel, thread, turns } of sample.conversations) {
    const known = thread === undefined ? undefined : threadIds.get(thread);
    const place =
      known !== undefined
        ? { threadId: known }
        : thread !== undefined
          ? { newThread: { title: thread } }
          : {};
    const { remember } = await client.request<Answer>(REMEMBER, {
      input: { channel, ...place, turns },
    });
    const id = remember.turns?.[0]?.turn.thread.id;
    if (id === undefined) throw new CommandFailed(remember.message ?? 'Nothing was stored.');
    if (thread !== undefined) threadIds.set(thread, id);
    yield { channel, thread, count: turns.length, first: turns[0]?.occurredAt ?? '' };
  }
}
