import { InvalidInput } from '../../domain/core/errors.ts';
import { threadsWithWords } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';
import { ThreadStateEnum } from '../core/scalars.ts';
import { spanOf } from '../core/time-filter.ts';

/** The longest text that threads are searched by, in characters. */
const MOST_CHARACTERS = 200;

/** @throws InvalidInput if it is blank or too long */
function wordsIn(words: string): string {
  if (words.trim() !== '' && words.length <= MOST_CHARACTERS) return words;
  const message = `must be 1-${MOST_CHARACTERS} characters and not blank`;
  throw new InvalidInput([{ path: 'words', message }]);
}

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
      channel: t.arg.string({ description: 'Return only threads with a turn on this channel.' }),
      state: t.arg({ type: ThreadStateEnum, description: 'Return only threads in this state.' }),
      words: t.arg.string({
        description:
          'Return only threads whose title contains this text, or in whose turns all of these words occur, in any form; 1-200 characters. The latest 10,000 are searched through.',
      }),
    },
    resolve: async (query, { id: userId }, args, { app, prisma }) => {
      const { channel, state, words } = args;
      const { gte, lt } = spanOf(args);
      const ids = words == null ? null : await threadsWithWords(app, userId, wordsIn(words));
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
