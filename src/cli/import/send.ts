import { type Imported, type Memory, MemoryError, type PastConversation } from '@mnemograph/client';
import { type Skipped, skip } from './conversation.ts';
import type { Part } from './requests.ts';

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
  memory: Pick<Memory, 'importConversation'>;
  channel: string;
  /** The role of the speakers other than the user. */
  others: 'ASSISTANT' | 'OTHER';
};

/** How long a part may take on a busy machine, in milliseconds. */
const TIMEOUT = 120_000;

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
  const sent = new Set<string | null>();
  for await (const part of parts) {
    const isContinuation = sent.has(part.id);
    sent.add(part.id);
    if (!isContinuation) tally.conversations += 1;
    const input = inputOf(part, options);
    if (!input) {
      if (!isContinuation) skip(tally.skipped, 'conversations in which the user says nothing');
      continue;
    }
    const result = await importOrRefuse(options.memory, input);
    if (result instanceof MemoryError) {
      const name = part.title ?? part.id ?? 'turns without a conversation';
      tally.refused.push(`${name}: ${result.message}`);
      continue;
    }
    tally.stored += result.stored;
    // They were counted when they were sent first.
    tally.alreadyStored += Math.max(0, result.alreadyStored - part.repeated);
    tally.forgotten += result.forgotten;
  }
}

/** Imports one part. Returns the error when the server refuses it. */
async function importOrRefuse(
  memory: SendOptions['memory'],
  conversation: PastConversation,
): Promise<Imported | MemoryError> {
  try {
    return await memory.importConversation(conversation, { timeout: TIMEOUT });
  } catch (error) {
    // Without a status it is an expected error of the mutation; 400 says that the schema rejects the input.
    const isRefusal =
      error instanceof MemoryError && !error.retryable && (error.status ?? 400) === 400;
    if (!isRefusal) throw error;
    return error;
  }
}

/** The conversation for the mutation; null if the part has no turn of the user. */
function inputOf(
  { id, title, turns }: Part,
  { channel, others }: SendOptions,
): PastConversation | null {
  const self = turns.find(({ isUser }) => isUser)?.speaker;
  if (self === undefined) return null;
  return {
    self,
    others,
    channel,
    ...(id === null ? {} : { conversation: { id, title } }),
    turns: turns.map(({ speaker, text, occurredAt }) => ({
      speaker,
      text,
      occurredAt: occurredAt.toISOString(),
    })),
  };
}
