import { NEWEST } from '../core/batches.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { loadersOf } from '../core/loaders.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';

builder.prismaObjectField('Episode', 'turns', (t) =>
  t.field({
    type: [TurnNode],
    description:
      'The turns from `firstTurn` to `lastTurn`, word for word, oldest first; for a CROSS_THREAD all turns of its threads. Turns ' +
      `of merged segments are not included. Only the newest ${NEWEST} are returned; \`Thread.turns\` lists all.`,
    resolve: async ({ userId, id, threadId, firstTurn, lastTurn }, _args, context, info) => {
      if (threadId === null) {
        return asTurns(await loadersOf(context).crossThreadTurns.load({ userId, id, info }));
      }
      const from = Math.max(firstTurn, lastTurn - NEWEST + 1);
      const range = { userId, threadId, from, to: lastTurn, info };
      return asTurns(await loadersOf(context).stretches.load(range));
    },
  }),
);

builder.prismaObjectField('Episode', 'segments', (t) =>
  t.relatedConnection('segments', {
    ...listWords({
      entries: 'segments of the episode',
      start: 'the earliest',
      end: 'the latest',
      node: 'A segment of the episode, which is an episode itself: its `kind` is SEGMENT.',
    }),
    cursor: 'userId_id',
    description: 'The segments of a PRIMARY, in the order of their turns; empty for other kinds.',
    query: { orderBy: { ordinal: 'asc' } },
  }),
);
