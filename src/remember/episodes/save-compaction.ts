import type { Needs } from '../../context.ts';
import type { CompactedThread, CompactionDraft as Draft } from '../../db/episodes/compactions.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import { comparedTurns } from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';
import { calendarOf } from '../../shared/calendar.ts';

/** The state of a thread, and which of its turns are summarised. */
type Compacted = CompactedThread & {
  threadId: number;
  timeZone: string | null;
  startedAt: Date;
  endedAt: Date;
};

/** The summaries and skills of a thread. */
type Compaction = Pick<Draft, 'title' | 'topic' | 'micro' | 'meso' | 'skills' | 'model'> & {
  approach: string | null;
  macro: string;
  /** One request to a model returned it together with the boundaries of segments. */
  isWithBoundaries: boolean;
};

/**
 * Stores a compaction and reports the changes. The user's row must be locked.
 * @returns the id of the thread's PRIMARY episode
 * @throws Overtaken if a late turn arrived meanwhile
 */
export async function saveCompaction(
  ctx: Needs<'reasoner'>,
  memory: Memory,
  { thread, isWithBoundaries, ...compaction }: Compaction & { thread: Compacted },
): Promise<number> {
  const { reasoner } = ctx;
  const { threadId, timeZone, startedAt, endedAt, through } = thread;
  const { now } = memory;
  const { approach, macro, model, skills } = compaction;
  const draft = {
    ...compaction,
    ...calendarOf(endedAt, timeZone),
    ...{ threadId, startedAt, endedAt, generatedBy: reasoner.generatedBy },
    approach: approach || null,
    macro: macro || null,
  };
  const id = await memory.compactions.save(thread, draft, now);
  if (id === null) throw new Overtaken();
  const how = isWithBoundaries ? ', with its boundaries' : '';
  const decision = `thread.compact (${through} turns, ${skills.length} skills, by ${model}${how})`;
  const details = { turns: through, skills: skills.length };
  memory.record({ kind: 'THREAD_COMPACTED', threadId, episodeId: id, decision, details });
  memory.changed('summariesWritten');
  await Promise.all([
    memory.crossThreads.noteChangeOf(threadId),
    memory.links.noteUnseen(comparedTurns(reasoner.generatedBy)),
  ]);
  return id;
}
