import { basename } from 'node:path';
import { cut } from '../../language/text/cut.ts';
import { clean } from '../support/split-text.ts';
import type { HookEvent } from './event.ts';
import type { ProgressFile } from './progress.ts';
import { createSender, type Destination } from './sender.ts';
import { hash, readTranscript, type SpokenTurn, turnsFor } from './transcript.ts';

/** Where a session is remembered, and until when. */
export type Remembering = Destination & { progress: ProgressFile };

/** The longest title of a thread, in characters. */
const MAX_TITLE = 200;

/**
 * Remembers what was said in a session since the last time, oldest first. What is stored is noted after each piece, so
 * that a run that is ended goes on the next time.
 * @returns why turns were refused for themselves, which leaves them out for good; null if none were
 * @throws MemoryError when the memory is away, refuses the caller or an option, or the time is up
 */
export async function rememberSession(
  event: HookEvent,
  { progress, ...destination }: Remembering,
): Promise<string | null> {
  const { threadId, ...begin } = await progress.read();
  const sender = createSender(destination, { threadId, title: titleOf(event) });

  if (event.transcript === null || event.answer !== '') {
    await sender.send(turnsIn(event));
    await progress.save({ ...begin, threadId: sender.threadId });
    return sender.refused;
  }
  const pieces = readTranscript(event.transcript, {
    from: begin,
    session: event.session || event.transcript,
  });
  for await (const { turns, end } of pieces) {
    destination.signal.throwIfAborted();
    await sender.send(turns);
    if (turns.length === 0 && end.offset === begin.offset) continue;
    await progress.save({ ...end, threadId: sender.threadId });
  }
  return sender.refused;
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
  cut(clean(basename(folder ?? '')), MAX_TITLE).trim() || null;
