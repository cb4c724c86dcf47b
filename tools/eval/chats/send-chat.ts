import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import { channelRule } from '../../../src/domain/turns/channel.ts';
import { timed } from '../../support/measure.ts';
import type { Chat, ChatConversation, ChatTurn } from './chat-file.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** Where the server put a turn of a file. */
export type Placed = { n: number; thread: string; number: number };

const REMEMBER = `mutation Remember($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on RememberPayload { turns { turn { number thread { id } } } }
    ... on Error { message }
    ... on InvalidInputError { issues { path message } }
  }
}`;
type Remembered = {
  remember: {
    __typename: string;
    turns: { turn: { number: number; thread: { id: string } } }[];
  };
};

const CONFIGURE = `mutation Configure($userId: String!, $timeZone: String!) {
  configureUser(userId: $userId, timeZone: $timeZone) {
    __typename
    ... on Error { message }
  }
}`;

/**
 * Stores a person's conversations as an application does: each turn by a call of its own, in order, with its time. A
 * conversation on an explicit channel becomes a thread of its own; on other channels inactivity decides.
 * @returns where each turn was stored, and the milliseconds of each call
 * @throws if a call is refused
 */
export async function sendChat(
  client: Client,
  userId: string,
  chat: Chat,
  onSent: () => void,
): Promise<{ placed: Placed[]; ms: number[] }> {
  await setTimeZone(client, userId, chat.timeZone);
  const placed: Placed[] = [];
  const ms: number[] = [];
  const threads = new Map<string, string>();
  for (const { conversation, turn } of inOrder(chat)) {
    const input = inputFor(userId, conversation, turn, threads.get(conversation.id));
    const answer = await timed(() => client.request<Remembered>(REMEMBER, { input }));
    const { remember } = answer.result;
    const stored = remember.__typename === 'RememberPayload' ? remember.turns[0]?.turn : null;
    if (!stored) throw new Error(`Turn ${turn.n} of ${chat.file}: ${JSON.stringify(remember)}`);
    threads.set(conversation.id, stored.thread.id);
    placed.push({ n: turn.n, thread: stored.thread.id, number: stored.number });
    ms.push(answer.ms);
    onSent();
  }
  return { placed, ms };
}

const inOrder = ({ conversations }: Chat) =>
  conversations
    .flatMap((conversation) => conversation.turns.map((turn) => ({ conversation, turn })))
    .sort((a, b) => a.turn.n - b.turn.n);

function inputFor(
  userId: string,
  { channel, title }: ChatConversation,
  { role, at, text }: ChatTurn,
  threadId: string | undefined,
) {
  const input = { userId, channel, turns: [{ role, text, occurredAt: at }] };
  if (channelRule(channel, null, new Map()).kind === 'IMPLICIT') return input;
  return threadId ? { ...input, threadId } : { ...input, newThread: title ? { title } : {} };
}

async function setTimeZone(client: Client, userId: string, timeZone: string): Promise<void> {
  const { configureUser } = await client.request<{ configureUser: { __typename: string } }>(
    CONFIGURE,
    { userId, timeZone },
  );
  if (configureUser.__typename !== 'User') throw new Error(JSON.stringify(configureUser));
}
