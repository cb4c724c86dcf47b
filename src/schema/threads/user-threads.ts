import { threadsWithWords } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';
import { ThreadStateEnum } from '../core/scalars.ts';
import { searchText } from '../core/search-text.ts';
import { spanOf } from '../core/time-filter.ts';

builder.prismaObjectFields('User', (t) => ({
  threads: t.prismaConnection({
    type: 'Thread',
    cursor: 'userId_id',
    description: 'Threads, latest activity first.',
    args: {
      from: t.arg({
        type: 'DateTime',
        description: 'Return only threads with a turn at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description: 'Return only threads that began before this time.',
      }),
      channel: t.arg.string({
        description: 'Return only threads with this channel among their `channels`.',
      }),
      state: t.arg({ type: ThreadStateEnum, description: 'Return only threads in this state.' }),
      words: t.arg.string({
        description:
          'Return only threads whose title contains this text, or in whose turns all of these words occur, in any ' +
          'form; 1-200 characters. At most the latest 10,000 matches are considered.',
      }),
    },
    resolve: async (query, { id: userId }, args, { app, prisma }) => {
      const { channel, state, words } = args;
      const { gte, lt } = spanOf(args);
      const text = words == null ? null : searchText('words', words);
      const ids = text === null ? null : await threadsWithWords(app, userId, text);
      return prisma.thread.findMany({
        ...query,
        where: {
          userId,
          ...(gte ? { lastActivityAt: { gte } } : {}),
          ...(lt ? { startedAt: { lt } } : {}),
          ...(channel == null ? {} : { channels: { has: channel.trim().toLowerCase() } }),
          ...(state ? { state } : {}),
          ...(ids ? { id: { in: ids } } : {}),
        },
        orderBy: [{ lastActivityAt: 'desc' }, { id: 'desc' }],
      });
    },
  }),
}));
