import { InvalidInput, NotFound } from '../domain/errors.ts';
import { findMisplaced, moveMisplaced } from '../remember/move-misplaced.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { FactNode } from './fact.ts';
import { loadersOf } from './loaders.ts';
import { localId, userOf } from './request-context.ts';

type Misplaced = Awaited<ReturnType<typeof findMisplaced>>[number] & { userId: string };

const MisplacedType = builder.objectRef<Misplaced>('MisplacedEpisode').implement({
  description: 'An episode that only gives facts to be noted (seed 002, "Migration Plan").',
  fields: (t) => ({
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The episode, unless forgotten since.',
      resolve: ({ userId, episodeId: id }, _args, context) =>
        loadersOf(context).episodes.load({ userId, id }) as never,
    }),
    facts: t.field({
      type: [FactNode],
      description: 'What its turns told; these stay.',
      resolve: async ({ userId, factIds }, _args, context) => {
        const loaded = factIds.map((id) => loadersOf(context).facts.load({ userId, id }));
        return (await Promise.all(loaded)).flatMap((fact) => fact ?? []) as never;
      },
    }),
  }),
});

builder.prismaObjectField('User', 'misplacedEpisodes', (t) =>
  t.field({
    type: [MisplacedType],
    description:
      "Episodes that today's rules would skip because their facts are all there is to them, such as of an import or of earlier settings; the earliest first, at most 100. `moveMisplacedEpisodes` leaves them to their facts.",
    complexity: { multiplier: 20 },
    resolve: async ({ id: userId }, _args, { app }) =>
      (await findMisplaced(app, userId)).map((found) => ({ ...found, userId })),
  }),
);

const Moved = builder
  .objectRef<{ userId: string; ids: number[] }>('MoveMisplacedEpisodesPayload')
  .implement({
    description: 'What was left to its facts.',
    fields: (t) => ({
      episodes: t.field({
        type: [EpisodeNode],
        description: 'The episodes: SKIPPED now.',
        resolve: async ({ userId, ids }, _args, context) => {
          const loaded = ids.map((id) => loadersOf(context).episodes.load({ userId, id }));
          return (await Promise.all(loaded)).flatMap((episode) => episode ?? []) as never;
        },
      }),
    }),
  });

builder.mutationField('moveMisplacedEpisodes', (t) =>
  t.field({
    type: Moved,
    description:
      'Leaves the episodes of `User.misplacedEpisodes` to their facts: they are recalled and summarised no longer. Nothing is deleted; each stays on record as SKIPPED.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      episodeIds: t.arg.idList({
        description: 'Only these; all that are found if left out. Others are left as they are.',
      }),
    },
    resolve: async (_root, { userId, episodeIds }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const ids = episodeIds?.map((id) => localId('Episode', owner, id)) ?? null;
      return { userId: owner, ids: await moveMisplaced(app, owner, ids) };
    },
  }),
);
