import { createHash } from 'node:crypto';
import type { ToolCall } from '../../shared/role.ts';
import type { ReceivedTurn } from './turn.ts';

/** What must be equal besides the contents for a turn with a repeated key to be the same turn. */
type Circumstances = Pick<ReceivedTurn, 'role' | 'speaker' | 'channel' | 'occurredAt'>;

/** The hashes by which the text and the tool calls of a stored turn are compared: they may have megabytes. */
export type ContentHashes = {
  text: string;
  toolCalls: { name: string; ok: boolean; result: string | null }[];
};

/** The lengths of a turn's text and of its tool calls, in bytes of UTF-8. Where they differ, nothing is read to compare turns. */
export const contentBytes = ({ text, toolCalls }: ReceivedTurn) => ({
  text: Buffer.byteLength(text),
  toolCalls: (toolCalls ?? []).reduce(
    (sum, { name, result }) => sum + Buffer.byteLength(name) + Buffer.byteLength(result ?? ''),
    0,
  ),
});

/** Whether a received turn repeats another of the same call. */
export const isSameTurn = (received: ReceivedTurn, earlier: ReceivedTurn): boolean =>
  isSaidAlike(received, earlier) &&
  received.text === earlier.text &&
  JSON.stringify(plain(received.toolCalls)) === JSON.stringify(plain(earlier.toolCalls));

/** Whether a received turn repeats a stored one, whose contents are null if their lengths differ from those of the received one. */
export function isStoredTurn(
  received: ReceivedTurn,
  stored: Circumstances & { contents: ContentHashes | null },
): boolean {
  const { contents } = stored;
  return (
    contents !== null &&
    isSaidAlike(received, stored) &&
    hashOf(received.text) === contents.text &&
    JSON.stringify(hashed(received.toolCalls)) === JSON.stringify(plain(contents.toolCalls))
  );
}

/** A time that the caller did not give is ignored. */
const isSaidAlike = (received: ReceivedTurn, other: Circumstances): boolean =>
  received.role === other.role &&
  received.speaker === other.speaker &&
  received.channel === other.channel &&
  (!received.timeGiven || received.occurredAt.getTime() === other.occurredAt.getTime());

const plain = (calls: readonly ToolCall[] | null) =>
  (calls ?? []).map(({ name, ok, result }) => [name, ok, result ?? null]);

const hashed = (calls: readonly ToolCall[] | null) =>
  (calls ?? []).map(({ name, ok, result }) => [
    hashOf(name),
    ok,
    result == null ? null : hashOf(result),
  ]);

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
