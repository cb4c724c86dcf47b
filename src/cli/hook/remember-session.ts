import { basename } from 'node:path';
import { type Memory, MemoryError } from '@mnemograph/client';
import { clean } from '../support/split-text.ts';
import type { HookEvent } from './event.ts';
import type { ProgressFile } from './progress.ts';
import { hash, readTranscript, type SpokenTurn, turnsFor } from './transcript.ts';

/** Where a session is remembered, and until when. */
export type Remembering = {
  memory: Pick<Memory, 'remember'>;
  channel: string;
  progress: ProgressFile;
  signal: AbortSignal;
};

/** The longest title of a thread, in characters. */
const MAX_TITLE = 200;
/** The thread of the session was forgotten or closed. */
const THREAD_GONE = new Set(['NOT_FOUND', 'THREAD_CLOSED']);

/**
 * Remembers what was said in a session since the last time, oldest first. What is stored is noted after each piece, so
 * that a run that is ended goes on the next time.
 * @returns why turns were refused; null if none were
 * @throws MemoryError when the memory is away, refuses the caller, or the time is up
 */
export async function rememberSession(
  event: HookEvent,
  { memory, channel, progress, signal }: Remembering,
): Promise<string | null> {
  let { offset, threadId } = await progress.read();
  let refused: string | null = null;

  const store = async (turns: SpokenTurn[]): Promise<void> => {
    const target = threadId === null ? { newThread: { title: titleOf(event) } } : { threadId };
    try {
      const stored = await memory.remember({ channel, ...target, turns }, { signal });
      threadId = stored.turns.findLast(({ turn }) => turn)?.turn?.thread.id ?? threadId;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      if (threadId !== null && THREAD_GONE.has(error.code)) {
        threadId = null;
        return store(turns);
      }
      // Sent again, it would be refused again, and nothing after it would ever be stored.
      if (error.code !== 'INVALID_INPUT') throw error;
      refused = error.message;
    }
  };

  if (event.transcript === null || event.answer !== '') {
    const turns = turnsIn(event);
    if (turns.length > 0) await store(turns);
    await progress.save({ offset, threadId });
    return refused;
  }
  const pieces = readTranscript(event.transcript, { from: offset, session: event.session });
  for await (const { turns, end } of pieces) {
    signal.throwIfAborted();
    if (turns.length > 0) await store(turns);
    if (end === offset) continue;
    offset = end;
    await progress.save({ offset, threadId });
  }
  return refused;
}

/** What the event itself says was said. */
function turnsIn({ session, prompt, answer, at }: HookEvent): SpokenTurn[] {
  const id = hash([session, at ?? '', prompt, answer]);
  return [
    ...turnsFor({ role: 'USER', text: prompt, id, at }, id),
    ...turnsFor({ role: 'ASSISTANT', text: answer, id, at }, id),
  ];
}

/** The folder in which the agent works names the thread. */
const titleOf = ({ folder }: HookEvent): string | null =>
  clean(basename(folder ?? ''))
    .slice(0, MAX_TITLE)
    .toWellFormed()
    .trim() || null;
