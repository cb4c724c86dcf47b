import { builder } from '../core/builder.ts';
import { loadersOf, NEWEST } from '../core/loaders.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';

builder.prismaObjectField('Episode', 'turns', (t) =>
  t.field({
    type: [TurnNode],
    description:
      "The episode's own turns, word for word, oldest first; for a CROSS_THREAD the turns of all its threads. Turns of merged " +
      `segments are not included. Only the newest ${NEWEST} are returned; \`Thread.turns\` lists all.`,
    resolve: async ({ userId, id, threadId, firstTurn, lastTurn }, _args, context) => {
      if (threadId === null) {
        return asTurns(await loadersOf(context).crossThreadTurns.load({ userId, id }));
      }
      const from = Math.max(firstTurn, lastTurn - NEWEST + 1);
      const range = { userId, threadId, from, to: lastTurn };
      return asTurns(await loadersOf(context).stretches.load(range));
    },
  }),
);
