import { type GraphQLClient, OperationFailed } from '../support/graphql-over-http.ts';
import { type Skipped, skip } from './conversation.ts';
import type { Part } from './gather.ts';

/** The result of an import. */
export type Tally = {
  conversations: number;
  stored: number;
  alreadyStored: number;
  forgotten: number;
  skipped: Skipped;
  /** A line for each part that the server refused: the conversation and the reason. */
  refused: string[];
};

export type SendOptions = {
  client: Pick<GraphQLClient, 'request'>;
  /** Null: the user of the token. */
  userId: string | null;
  channel: string;
  /** The role of the speakers other than the user. */
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

/**
 * Imports parts of conversations, one after another, and counts the results in `tally`. An import that was interrupted
 * can be repeated: turns that are already stored are not stored again.
 * @throws when the server cannot be reached or fails; a part that it refuses is added to `tally.refused` instead
 */
export async function send(
  parts: AsyncIterable<Part>,
  options: SendOptions,
  tally: Tally,
): Promise<void> {
  const sent = new Set<string>();
  for await (const part of parts) {
    const isContinuation = part.id !== null && sent.has(part.id);
    if (part.id !== null) sent.add(part.id);
    if (!isContinuation) tally.conversations += 1;
    const input = inputOf(part, options);
    if (!input) {
      skip(tally.skipped, 'conversations in which the user says nothing');
      continue;
    }
    const result = await importOrRefuse(options.client, input);
    if ('message' in result) {
      const name = part.title ?? part.id ?? 'turns without a conversation';
      tally.refused.push(`${name}: ${result.message}`);
      continue;
    }
    tally.stored += result.stored;
    // A continuation begins with a turn that was sent before, which must not be counted again.
    tally.alreadyStored += Math.max(0, result.alreadyStored - (isContinuation ? 1 : 0));
    tally.forgotten += result.forgotten;
  }
}

/** Imports one part. An input that the schema rejects (status 400) counts as a refusal too. */
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

/** The input of the mutation; null if the part has no turn of the user. */
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
