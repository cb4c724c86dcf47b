import { type Memory, MemoryError } from '@mnemograph/client';
import { instead } from './refused.ts';
import type { SpokenTurn } from './transcript.ts';

/** Where turns are sent to, and until when. */
export type Destination = {
  memory: Pick<Memory, 'remember'>;
  channel: string;
  signal: AbortSignal;
};

/** Sends the turns of one session. */
export type Sender = {
  /** The thread of the session; null before its first turn. */
  threadId: string | null;
  /** Why turns were refused for themselves, which leaves them out for good; null if none were. */
  refused: string | null;
  /**
   * Stores turns, the oldest first.
   * @throws MemoryError when the memory is away, refuses the caller or an option, or the time is up
   */
  send(turns: SpokenTurn[]): Promise<void>;
};

/** The thread of the session was forgotten or closed. */
const THREAD_GONE = new Set(['NOT_FOUND', 'THREAD_CLOSED']);

/** @param session its thread, and the title for a new one */
export function createSender(
  { memory, channel, signal }: Destination,
  { threadId, title }: { threadId: string | null; title: string | null },
): Sender {
  /** @returns turns to send afterwards or instead, in this order */
  const attempt = async (turns: SpokenTurn[]): Promise<SpokenTurn[][]> => {
    const isNew = sender.threadId === null;
    const target = isNew ? { newThread: { title } } : { threadId: sender.threadId };
    // Another run may have opened the thread, and its note was lost or comes later: then the first turn says which it is.
    const [now, later] = isNew ? [turns.slice(0, 1), turns.slice(1)] : [turns, []];
    try {
      const stored = await memory.remember({ channel, ...target, turns: now }, { signal });
      sender.threadId =
        stored.turns.findLast(({ turn }) => turn)?.turn?.thread.id ?? sender.threadId;
      return [later];
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      if (sender.threadId !== null && THREAD_GONE.has(error.code)) {
        sender.threadId = null;
        return [turns];
      }
      const { groups, reason } = instead(now, error);
      sender.refused = reason ?? sender.refused;
      return [...groups, later];
    }
  };
  const sender: Sender = {
    threadId,
    refused: null,
    async send(turns) {
      if (turns.length === 0) return;
      for (const group of await attempt(turns)) await sender.send(group);
    },
  };
  return sender;
}
