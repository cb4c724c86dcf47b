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
    'An episode that mainly states facts: its `notability` is below the bound of the deployment, even where an import or ' +
    '`CaptureSettings.everything` made it an episode, its `factShare` is at least 0.5, and a fact from its turns is stored.',
  fields: (t) => ({
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The misplaced episode; null if it was forgotten in the meantime.',
      resolve: ({ userId, episodeId: id }, _args, context, info) =>
        loadersOf(context).episodes.load({ userId, id, info }),
    }),
    facts: t.field({
      type: [FactNode],
      description:
        'The facts that the turns of the episode state, without retracted ones. `moveMisplacedEpisodes` keeps them.',
      resolve: async ({ userId, factIds }, _args, context, info) => {
        const loaded = factIds.map((id) => loadersOf(context).facts.load({ userId, id, info }));
        return (await Promise.all(loaded)).flatMap((fact) => fact ?? []);
      },
    }),
  }),
});

builder.prismaObjectField('User', 'misplacedEpisodes', (t) =>
  t.field({
    type: [MisplacedType],
    description:
      'Episodes that mainly state facts and have too little notability, for example from an import or from earlier settings. ' +
      'Episodes into which segments were merged are left out. Earliest end first, at most 100. `moveMisplacedEpisodes` sets ' +
      'their `capture` to SKIPPED.',
    complexity: { multiplier: 20 },
    resolve: async ({ id: userId }, _args, { app }) =>
      (await findMisplaced(app, userId)).map((found) => ({ ...found, userId })),
  }),
);

const Moved = builder
  .objectRef<{ userId: string; ids: number[] }>('MoveMisplacedEpisodesPayload')
  .implement({
    description: 'Which misplaced episodes were set to SKIPPED.',
    fields: (t) => ({
      episodes: t.field({
        type: [EpisodeNode],
        description: 'The episodes that this call set to SKIPPED, earliest end first.',
        resolve: async ({ userId, ids }, _args, context, info) => {
          const loaded = ids.map((id) => loadersOf(context).episodes.load({ userId, id, info }));
          return (await Promise.all(loaded)).flatMap((episode) => episode ?? []);
        },
      }),
    }),
  });

builder.mutationField('moveMisplacedEpisodes', (t) =>
  t.field({
    type: Moved,
    description:
      'Sets `capture` of the episodes in `User.misplacedEpisodes` to SKIPPED: they are no longer recalled or summarised as ' +
      'episodes, and no longer fade. Their facts and turns can still be found.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose misplaced episodes are moved'),
      }),
      episodeIds: t.arg.idList({
        description:
          'Move only the episodes with these `id`s; by default all in `User.misplacedEpisodes`. Ids of episodes that are not ' +
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
