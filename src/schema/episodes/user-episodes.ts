import { InvalidInput } from '../../domain/core/errors.ts';
import { MOST_LISTED } from '../../domain/core/most-listed.ts';
import { episodesBelow } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { nothing, ownKey } from '../core/request-context.ts';
import { CaptureStatusEnum, EpisodeKindEnum } from '../core/scalars.ts';
import { overlapping } from '../core/time-filter.ts';

/** @throws InvalidInput if it is no share */
function checkedShare(below: number): number {
  if (below > 0 && below <= 1) return below;
  throw new InvalidInput([{ path: 'below', message: 'must be more than 0 and at most 1' }]);
}

builder.prismaObjectFields('User', (t) => ({
  episodes: t.prismaConnection({
    ...listWords({
      entries: 'episodes of the user',
      start: 'the latest',
      end: 'the earliest',
      node: 'An episode of any kind that the given filters let through.',
    }),
    type: 'Episode',
    cursor: 'userId_id',
    description: 'Episodes of every kind, by the event time of their last turn, latest first.',
    args: {
      kind: t.arg({ type: EpisodeKindEnum, description: 'Return only episodes of this kind.' }),
      capture: t.arg({
        type: [CaptureStatusEnum],
        description: 'Return only segments with one of these capture decisions.',
      }),
      from: t.arg({
        type: 'DateTime',
        description: 'Return only episodes that ended at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Return only episodes that began before this time. It must be later than `from`.',
      }),
      below: t.arg.float({
        description:
          'Return only episodes whose retrievability is now below this share: more than 0, at most 1. Episodes that do not fade ' +
          `are left out. Of the episodes below it, only the latest ${MOST_LISTED.toLocaleString('en')} are considered.`,
      }),
    },
    resolve: async (query, { id: userId }, args, { app, prisma }) => {
      const { kind, capture, below } = args;
      const ids = below == null ? null : await episodesBelow(app, userId, checkedShare(below));
      return prisma.episode.findMany({
        ...query,
        where: {
          userId,
          ...(kind ? { kind } : {}),
          ...(capture ? { capture: { in: capture } } : {}),
          ...overlapping(args, (gte) => ({ endedAt: { gte } })),
          ...(ids ? { id: { in: ids } } : {}),
        },
        orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
      });
    },
  }),
}));

builder.queryField('episode', (t) =>
  t.prismaField({
    type: 'Episode',
    nullable: true,
    description: 'One episode by its id; null if this memory has no such episode.',
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the episode.' }),
      userId: t.arg.string({
        description: describeOwner('The user whose episode is read'),
      }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Episode', args);
      return key
        ? prisma.episode.findUnique({ ...query, where: { userId_id: key } })
        : nothing(query);
    },
  }),
);
