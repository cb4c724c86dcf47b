import type { Context } from '../../context.ts';
import type { ChangedGroup } from '../../db/links/cross-threads.ts';
import type { LinkDraft as Draft } from '../../db/links/links.ts';
import { ErasedMeanwhile } from '../../domain/core/errors.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { algorithmicScore } from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';

export type Changes = { groups: ChangedGroup[]; dissolved: number[] };

/** No cross-thread episode has changed. */
export const NO_CHANGE: Changes = { groups: [], dissolved: [] };

/** Stores what was decided about a thread, with the cross-thread episodes that come of it, and tells of both. */
export async function saveLinks(
  ctx: Context,
  userId: string,
  {
    thread,
    drafts,
  }: {
    thread: { epoch: number; id: number; linkedTurns: number; isGrouped: boolean };
    drafts: readonly Draft[];
  },
): Promise<StepOutcome> {
  const result = await ctx.memory(userId).write(async (memory) => {
    const saved = await memory.links.save(thread, drafts, memory.now);
    if (!saved) throw new ErasedMeanwhile();
    const told = saved.flatMap(({ id, earlierThreadId }) => {
      const draft = drafts.find((own) => own.earlierThreadId === earlierThreadId);
      return draft ? [decidedEvent(id, draft)] : [];
    });
    memory.record(told);
    const threadIds = [thread.id, ...saved.map(({ earlierThreadId }) => earlierThreadId)];
    const isSame = !thread.isGrouped && drafts.every(({ verdict }) => verdict === 'DONT_LINK');
    const changes = isSame ? NO_CHANGE : await settleEpisodes(memory, threadIds);
    return { saved, ...changes };
  });
  for (const { id, earlierThreadId } of result.saved) {
    const which = { threadId: thread.id, earlierThreadId, linkId: id };
    ctx.publisher.publishProgress(userId, { of: 'linking', stage: 'VERDICT', ...which });
  }
  publishEpisodes(ctx, userId, result);
  for (const { verdict, certainty, earlierThreadId } of drafts) {
    const ids = { userId, thread: thread.id, earlier: earlierThreadId };
    ctx.logger.info({ ...ids, verdict, certainty }, 'link.decide');
  }
  return 'again';
}

/** Brings the cross-thread episodes of threads in line with their links, with events. The user's row must be locked. */
export async function settleEpisodes(
  memory: Memory,
  threadIds: readonly number[],
): Promise<Changes> {
  const changes = await memory.crossThreads.settle({ threadIds, episodeIds: [] }, memory.now);
  const told = [
    ...changes.groups.map(({ change, episodeId, threadIds: own, merged }): EventDraft => {
      const taken = merged.length > 0 ? `, with episode ${merged.join(', ')}` : '';
      const decision = `episode.${VERBS[change]} (threads ${own.join(', ')}${taken})`;
      return { kind: `CROSS_THREAD_${change}`, episodeId, decision };
    }),
    ...changes.dissolved.map((episode): EventDraft => {
      const decision = `episode.dissolve (episode ${episode}: fewer than two threads are left)`;
      return { kind: 'CROSS_THREAD_REDUCED', decision };
    }),
  ];
  memory.record(told);
  return changes;
}

const VERBS = { CREATED: 'link', EXTENDED: 'extend', MERGED: 'merge', REDUCED: 'reduce' } as const;

/** Tells those who watch; runs after the commit. */
export function publishEpisodes(ctx: Context, userId: string, { groups }: Changes): void {
  for (const { episodeId } of groups) {
    ctx.publisher.publishProgress(userId, { of: 'linking', stage: 'EPISODE', episodeId });
  }
}

function decidedEvent(id: number, draft: Draft): EventDraft {
  const { threadId, verdict, certainty } = draft;
  const { leftOut } = algorithmicScore(draft, draft.weights);
  const yes = (related: boolean) => (related ? 'yes' : 'no');
  const said = [
    `thread ${threadId} with ${draft.earlierThreadId}`,
    `score ${draft.algorithmicScore.toFixed(2)} ${yes(draft.algorithmicRelated)}`,
    `reasoner ${yes(draft.reasonerRelated)} ${draft.reasonerConfidence.toFixed(2)}`,
    ...(leftOut.length > 0 ? [`without ${leftOut.join(', ')}`] : []),
  ].join('; ');
  const how = certainty === 'UNCERTAIN' ? 'link.uncertain' : 'link.decide';
  const decision = `${how} ${verdict} (${said})`;
  return { kind: 'LINK_DECIDED', threadId, decision, details: { link: id } };
}
