import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { EpisodeNode } from './episode.ts';

builder.prismaObjectField('Turn', 'segment', (t) =>
  t.field({
    type: EpisodeNode,
    nullable: true,
    description:
      'The closed segment that the turn is in, whatever its capture decision; null while the segment of the turn is still open.',
    select: { userId: true, threadId: true, number: true },
    resolve: ({ userId, threadId, number }, _args, context, info) =>
      loadersOf(context).segments.load({ userId, threadId, number, info }),
  }),
);
