import type { Context } from '../../context.ts';
import type { LinkDraft as Draft } from '../../db/links/links.ts';
import type { ThreadToLink } from '../../db/links/threads-to-link.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { algorithmicScore, OPENING } from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';

/** Stores the decisions about a thread, and updates the cross-thread episodes accordingly. */
export async function saveLinks(
  ctx: Context,
  userId: string,
  {
    thread,
    drafts,
  }: {
    thread: Omit<ThreadToLink, 'startedAt' | 'timeZone'>;
    drafts: readonly Draft[];
  },
): Promise<StepOutcome> {
  const save = async (memory: Memory) => {
    const saved = await memory.links.save(thread, drafts, memory.now);
    const events = saved.flatMap(({ id, earlierThreadId }) => {
      const draft = drafts.find((one) => one.earlierThreadId === earlierThreadId);
      return draft ? [decidedEvent(id, draft)] : [];
    });
    memory.record(events);
    // What was decided again may have its outcome in turns that are there already.
    if (saved.length > 0 && (!thread.isOpen || thread.turns >= OPENING))
      memory.changed('linksToWatch');
    const threadIds = [thread.id, ...saved.map(({ earlierThreadId }) => earlierThreadId)];
    const isSame = !thread.isGrouped && drafts.every(({ verdict }) => verdict === 'DONT_LINK');
    if (!isSame) await settleEpisodes(memory, threadIds);
  };
  await ctx.memory(userId).write(save, { since: thread.epoch });
  for (const { verdict, certainty, earlierThreadId } of drafts) {
    const ids = { userId, thread: thread.id, earlier: earlierThreadId };
    ctx.logger.info({ ...ids, verdict, certainty }, 'link.decide');
  }
  return 'again';
}

/** Recomputes the cross-thread episodes of threads from their links, and records events. The user's row must be locked. */
export async function settleEpisodes(memory: Memory, threadIds: readonly number[]): Promise<void> {
  const changes = await memory.crossThreads.settle({ threadIds, episodeIds: [] }, memory.now);
  const events = [
    ...changes.groups.map(({ change, episodeId, threadIds: grouped, merged }): EventDraft => {
      const absorbed = merged.length > 0 ? `, with episode ${merged.join(', ')}` : '';
      const decision = `episode.${VERBS[change]} (threads ${grouped.join(', ')}${absorbed})`;
      return { kind: `CROSS_THREAD_${change}`, episodeId, decision };
    }),
    ...changes.dissolved.map((episode): EventDraft => {
      const decision = `episode.dissolve (episode ${episode}: fewer than two threads are left)`;
      return { kind: 'CROSS_THREAD_REDUCED', decision };
    }),
  ];
  memory.record(events);
}

const VERBS = { CREATED: 'link', EXTENDED: 'extend', MERGED: 'merge', REDUCED: 'reduce' } as const;

function decidedEvent(id: number, draft: Draft): EventDraft {
  const { threadId, verdict, certainty } = draft;
  const { leftOut } = algorithmicScore(draft, draft.weights);
  const yes = (related: boolean) => (related ? 'yes' : 'no');
  const reasons = [
    `thread ${threadId} with ${draft.earlierThreadId}`,
    `score ${draft.algorithmicScore.toFixed(2)} ${yes(draft.algorithmicRelated)}`,
    `reasoner ${yes(draft.reasonerRelated)} ${draft.reasonerConfidence.toFixed(2)}`,
    ...(leftOut.length > 0 ? [`without ${leftOut.join(', ')}`] : []),
  ].join('; ');
  const how = certainty === 'UNCERTAIN' ? 'link.uncertain' : 'link.decide';
  const decision = `${how} ${verdict} (${reasons})`;
  const details = { link: id, earlier: draft.earlierThreadId };
  return { kind: 'LINK_DECIDED', threadId, decision, details };
}
