import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { askCompaction } from '../../remember/episodes/ask-compaction.ts';
import { type WatchedCompaction, watchCompactions } from '../../watch/watch-compactions.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { logPlaceArgs, logPlaceOf } from '../core/log-place.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { asNode } from '../core/rows.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { ThreadNode } from './thread.ts';

/** The stages of a compaction: collecting, micro, meso, macro and storing. */
const STAGES = 5;

const Progress = builder.objectRef<WatchedCompaction>('CompactionProgress').implement({
  description:
    'The progress of the compaction of one thread: the writing of its three summaries and its skills.',
  fields: (t) => ({
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The thread that is compacted; null if it was forgotten in the meantime.',
      resolve: ({ userId, threadId }, _args, context, info) =>
        loadersOf(context).threads.load({ userId, id: threadId, info }),
    }),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description:
        'The place of this result: pass it as `after` to receive the results that follow it. Null until `done` is 1.',
    }),
    turnsCollected: t.exposeInt('turns', {
      description:
        'How many turns the new summaries will cover, from the first turn of the thread.',
    }),
    summariesDone: t.exposeInt('summaries', {
      description:
        'How many of the three summaries (micro, meso, macro) are finished: 0, or all 3, since they are written together.',
    }),
    skillsFound: t.exposeInt('skills', {
      description: 'How many skills were found; 0 until the summaries are finished.',
    }),
    done: t.float({
      description:
        'For a progress bar: 0.2 at the beginning, 0.8 once the summaries are written, 1 once they are stored.',
      resolve: ({ summaries, episodeId }) =>
        (1 + summaries + (episodeId === null ? 0 : 1)) / STAGES,
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The PRIMARY episode with its new summaries; null until all of them are stored, or if it was forgotten since.',
      resolve: ({ userId, episodeId }, _args, context, info) =>
        episodeId === null
          ? null
          : loadersOf(context).episodes.load({ userId, id: episodeId, info }),
    }),
  }),
});

builder.subscriptionField('compactions', (t) =>
  t.field({
    type: Progress,
    description:
      'Progress of compactions as it happens, and each result once (`done` is 1). With `after` or `fromStart`, results that ' +
      'were stored before are sent, too; progress is not stored, so it is not replayed.',
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose compactions are reported'),
      }),
      threadId: t.arg.id({ description: 'Report only on the thread with this `id`.' }),
      ...logPlaceArgs('result of a compaction'),
    },
    subscribe: (_root, { userId, threadId, ...place }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const only = threadId == null ? null : localId('Thread', owner, threadId);
      const options = { threadId: only, ...logPlaceOf(place) };
      return app.places.hold(owner, () => watchCompactions(app, owner, options));
    },
    resolve: (progress) => progress,
  }),
);

builder.mutationField('compact', (t) =>
  t.field({
    type: ThreadNode,
    description:
      'Requests the compaction of a thread: its summaries and skills are written so that they cover all its turns so far, ' +
      'even while it is open. Returns at once; `compactions` shows the progress. Does nothing if the summaries already cover every turn.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose thread is compacted'),
      }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread to compact.' }),
    },
    resolve: async (_root, { userId, threadId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const id = localId('Thread', owner, threadId);
      return asNode(ThreadNode, await askCompaction(app, owner, id));
    },
  }),
);
