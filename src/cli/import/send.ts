import { type GraphQLClient, OperationFailed } from '../support/graphql-over-http.ts';
import { type Skipped, skip } from './conversation.ts';
import type { Part } from './gather.ts';

/** What became of an import. */
export type Tally = {
  conversations: number;
  stored: number;
  alreadyStored: number;
  forgotten: number;
  skipped: Skipped;
  /** Which conversations the server did not take, and why. */
  refused: string[];
};

export type SendOptions = {
  client: Pick<GraphQLClient, 'request'>;
  /** Null: the user of the token. */
  userId: string | null;
  channel: string;
  /** What the speakers beside the user are. */
  others: 'ASSISTANT' | 'OTHER';
};

const IMPORT = `mutation Import($input: ImportConversationInput!) {
  importConversation(input: $input) {
    ... on ImportPayload { stored alreadyStored forgotten }
    ... on Error { message }
  }
}`;
type Answer = {
  importConversation:
    | { stored: number; alreadyStored: number; forgotten: number }
    | { message: string };
};

/** Imports parts of conversations, one after another. Repeated, it goes on where it ended: nothing is stored twice. */
export async function send(
  parts: AsyncIterable<Part>,
  options: SendOptions,
  tally: Tally,
): Promise<void> {
  const begun = new Set<string>();
  for await (const part of parts) {
    const goesOn = part.id !== null && begun.has(part.id);
    if (part.id !== null) begun.add(part.id);
    if (!goesOn) tally.conversations += 1;
    const input = inputOf(part, options);
    if (!input) {
      skip(tally.skipped, 'conversations in which the user says nothing');
      continue;
    }
    const result = await importOrRefuse(options.client, input);
    if ('message' in result) {
      const name = part.title ?? part.id ?? 'what belongs to no conversation';
      tally.refused.push(`${name}: ${result.message}`);
      continue;
    }
    tally.stored += result.stored;
    tally.alreadyStored += Math.max(0, result.alreadyStored - (goesOn ? 1 : 0));
    tally.forgotten += result.forgotten;
  }
}

/** The server's answer, also where the input is none of its kind. */
async function importOrRefuse(
  client: SendOptions['client'],
  input: object,
): Promise<Answer['importConversation']> {
  try {
    return (await client.request<Answer>(IMPORT, { input })).importConversation;
  } catch (error) {
    if (!(error instanceof OperationFailed && error.status === 400)) throw error;
    return { message: error.errors.map(({ message }) => message).join('; ') };
  }
}

/** What is sent; null where the user says nothing. */
function inputOf({ id, title, turns }: Part, { userId, channel, others }: SendOptions) {
  const self = turns.find(({ isUser }) => isUser)?.speaker;
  if (self === undefined) return null;
  return {
    ...(userId === null ? {} : { userId }),
    self,
    others,
    channel,
    ...(id === null ? {} : { conversation: { id, title } }),
    turns: turns.map(({ speaker, text, occurredAt }) => ({ speaker, text, occurredAt })),
  };
}
