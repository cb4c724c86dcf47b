import { builder } from '../core/builder.ts';
import { readGlobalId } from '../core/global-id.ts';
import { listWords } from '../core/list-words.ts';
import { EventKindEnum } from '../core/scalars.ts';
import { spanOf } from '../core/time-filter.ts';

/** The condition for a thread by its global id. No event is of something that is no thread, or of another user's. */
function inThread(globalId: string) {
  const id = readGlobalId(globalId);
  const [userId, number] = id?.typename === 'Thread' ? id.key : [];
  return { userId: String(userId ?? ''), threadId: Number(number ?? 0) };
}

builder.prismaObjectFields('User', (t) => ({
  events: t.relatedConnection('events', {
    ...listWords({
      entries: 'events of the log',
      start: 'the oldest',
      end: 'the newest',
      node: 'An event: what happened, when, and which objects it concerns.',
    }),
    cursor: 'userId_number',
    description: 'The event log of this memory, oldest entry first.',
    args: {
      kinds: t.arg({
        type: [EventKindEnum],
        description: 'Return only events of these kinds; all kinds by default.',
      }),
      threadId: t.arg.id({
        description:
          'Return only events whose `thread` has this `id`. Those of a link have its later thread; those of an automatic review, ' +
          'the thread in which the episode was shown. Many events have no thread, such as those of facts, of `rateMemory`, of ' +
          'cross-thread episodes and of TURNS_EMBEDDED.',
      }),
      from: t.arg({
        type: 'DateTime',
        description: 'Return only events that were recorded at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Return only events that were recorded before this time. It must be later than `from`.',
      }),
    },
    query: ({ kinds, threadId, ...span }) => ({
      where: {
        at: spanOf(span),
        ...(kinds ? { kind: { in: kinds } } : {}),
        ...(threadId == null ? {} : inThread(String(threadId))),
      },
      orderBy: { number: 'asc' },
    }),
  }),
}));
