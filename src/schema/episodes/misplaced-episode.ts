import type { MisplacedEpisode } from '../../db/episodes/misplaced-episodes.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { findMisplaced, moveMisplaced } from '../../remember/episodes/move-misplaced.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { FactNode } from '../facts/fact.ts';
import { EpisodeNode } from './episode.ts';

type Misplaced = MisplacedEpisode & { userId: string };

const MisplacedType = builder.objectRef<Misplaced>('MisplacedEpisode').implement({
  description:
    'An episode whose notability is too low for the capture rules of today, since at least half of its narrative content only ' +
    'states facts, which are stored anyway.',
  fields: (t) => ({
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The misplaced episode; null if it was forgotten in the meantime.',
      resolve: ({ userId, episodeId: id }, _args, context) =>
        loadersOf(context).episodes.load({ userId, id }),
    }),
    facts: t.field({
      type: [FactNode],
      description: 'The facts that the turns of the episode state. Moving the episode keeps them.',
      resolve: async ({ userId, factIds }, _args, context) => {
        const loaded = factIds.map((id) => loadersOf(context).facts.load({ userId, id }));
        return (await Promise.all(loaded)).flatMap((fact) => fact ?? []);
      },
    }),
  }),
});

builder.prismaObjectField('User', 'misplacedEpisodes', (t) =>
  t.field({
    type: [MisplacedType],
    description:
      "Captured episodes that today's capture rules would skip because they mainly state facts, for example from an import or " +
      'earlier settings; not those into which others were merged. Earliest first, at most 100. `moveMisplacedEpisodes` sets ' +
      'them to SKIPPED.',
    complexity: { multiplier: 20 },
    resolve: async ({ id: userId }, _args, { app }) =>
      (await findMisplaced(app, userId)).map((found) => ({ ...found, userId })),
  }),
);

const Moved = builder
  .objectRef<{ userId: string; ids: number[] }>('MoveMisplacedEpisodesPayload')
  .implement({
    description: 'The result of moving misplaced episodes.',
    fields: (t) => ({
      episodes: t.field({
        type: [EpisodeNode],
        description: 'The episodes that are now SKIPPED.',
        resolve: async ({ userId, ids }, _args, context) => {
          const loaded = ids.map((id) => loadersOf(context).episodes.load({ userId, id }));
          return (await Promise.all(loaded)).flatMap((episode) => episode ?? []);
        },
      }),
    }),
  });

builder.mutationField('moveMisplacedEpisodes', (t) =>
  t.field({
    type: Moved,
    description:
      'Sets the episodes of `User.misplacedEpisodes` to SKIPPED: they are no longer recalled or summarised as ' +
      'episodes. Their facts and turns can still be found. Nothing is deleted.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose misplaced episodes are moved'),
      }),
      episodeIds: t.arg.idList({
        description:
          'Move only the episodes with these `id`s; by default those of `User.misplacedEpisodes`. Ids of episodes that are not ' +
          'misplaced are ignored. At most 100 are moved in one call.',
      }),
    },
    resolve: async (_root, { userId, episodeIds }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const ids = episodeIds?.map((id) => localId('Episode', owner, id)) ?? null;
      return { userId: owner, ids: await moveMisplaced(app, owner, ids) };
    },
  }),
);
