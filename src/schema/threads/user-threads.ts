import { MOST_LISTED } from '../../domain/core/most-listed.ts';
import { threadsWithWords } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { ThreadStateEnum } from '../core/scalars.ts';
import { checkedSearchText } from '../core/search-text.ts';
import { overlapping } from '../core/time-filter.ts';

builder.prismaObjectFields('User', (t) => ({
  threads: t.prismaConnection({
    ...listWords({
      entries: 'threads of the user',
      start: 'the most recently active',
      end: 'the longest inactive',
      node: 'A thread, from which its turns, segments and summaries can be read.',
    }),
    type: 'Thread',
    cursor: 'userId_id',
    description: 'Threads, latest activity first.',
    args: {
      from: t.arg({
        type: 'DateTime',
        description: 'Return only threads whose `lastActivityAt` is at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Return only threads whose `startedAt` is before this time. It must be later than `from`.',
      }),
      channel: t.arg.string({
        description:
          'Return only threads with this channel among their `channels`; capitals make no difference. An unknown channel finds none.',
      }),
      state: t.arg({ type: ThreadStateEnum, description: 'Return only threads in this state.' }),
      words: t.arg.string({
        description:
          'Return only threads whose title contains this text, or whose turns together contain all its words in any form, words ' +
          `such as "the" aside; 1-200 characters. If more than ${MOST_LISTED.toLocaleString('en')} threads qualify, only those with the ` +
          'latest activity are considered.',
      }),
    },
    resolve: async (query, { id: userId }, args, { app, prisma }) => {
      const { channel, state, words } = args;
      const text = words == null ? null : checkedSearchText('words', words);
      const ids = text === null ? null : await threadsWithWords(app, userId, text);
      return prisma.thread.findMany({
        ...query,
        where: {
          userId,
          ...overlapping(args, (gte) => ({ lastActivityAt: { gte } })),
          ...(channel == null ? {} : { channels: { has: channel.trim().toLowerCase() } }),
          ...(state ? { state } : {}),
          ...(ids ? { id: { in: ids } } : {}),
        },
        orderBy: [{ lastActivityAt: 'desc' }, { id: 'desc' }],
      });
    },
  }),
}));
