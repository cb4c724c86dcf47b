import type { Memory } from '@mnemograph/client';
import type { Sample } from './sample.ts';

/** A stored conversation: its channel, thread title, number of turns and the time of the first turn. */
type Stored = { channel: string; thread: string | undefined; count: number; first: string };

/**
 * Sends the conversations one after the other, and yields each once it is stored. The first conversation with a title
 * opens a thread; later ones with the same title continue it.
 * @throws MemoryError when the server refuses one
 */
export async function* tell(memory: Memory, sample: Sample): AsyncGenerator<Stored> {
  const threadIds = new Map<string, string>();
  for (const { channel, thread, turns } of sample.conversations) {
    const threadId = thread === undefined ? undefined : threadIds.get(thread);
    const target =
      threadId !== undefined
        ? { threadId }
        : thread !== undefined
          ? { newThread: { title: thread } }
          : {};
    const stored = await memory.remember({ channel, ...target, turns });
    const id = stored.turns[0]?.turn?.thread.id;
    if (thread !== undefined && id !== undefined) threadIds.set(thread, id);
    yield { channel, thread, count: turns.length, first: turns[0]?.occurredAt ?? '' };
  }
}
