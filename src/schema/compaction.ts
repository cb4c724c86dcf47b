import type { CompactionProgress } from '../domain/compaction.ts';
import { InvalidInput, NotFound } from '../domain/errors.ts';
import { watchCompactions } from '../recall/watch-compactions.ts';
import { askCompaction } from '../remember/ask-compaction.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { loadersOf } from './loaders.ts';
import { localId, userOf } from './request-context.ts';
import { ThreadNode } from './thread.ts';

type Watched = CompactionProgress & { userId: string };

/** Collecting, micro, meso, macro, and storing. */
const STAGES = 5;

const Progress = builder.objectRef<Watched>('CompactionProgress').implement({
  description: 'How far the compaction of a thread is (seed 000 §4.2).',
  fields: (t) => ({
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The thread, unless forgotten since.',
      resolve: ({ userId, threadId }, _args, context) =>
        loadersOf(context).threads.load({ userId, id: threadId }) as never,
    }),
    turnsCollected: t.exposeInt('turns', { description: 'Turns that its summaries will tell.' }),
    summariesDone: t.exposeInt('summaries', {
      description: 'Of micro, meso and macro, how many are done: 0-3.',
    }),
    skillsFound: t.exposeInt('skills', { description: 'Patterns found so far.' }),
    done: t.float({
      description: 'How much of the work is done, 0-1, for a progress bar.',
      resolve: ({ summaries, episodeId }) =>
        (1 + summaries + (episodeId === null ? 0 : 1)) / STAGES,
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The finished PRIMARY of the thread; null until all is stored.',
      resolve: ({ userId, episodeId }, _args, context) =>
        episodeId === null
          ? null
          : (loadersOf(context).episodes.load({ userId, id: episodeId }) as never),
    }),
  }),
});

builder.subscriptionField('compactions', (t) =>
  t.field({
    type: Progress,
    description:
      "How the compactions of a memory's threads go on, as it happens: live only, nothing is kept. What came of them is in `memoryEvents` as THREAD_COMPACTED.",
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      threadId: t.arg.id({ description: 'Only of this thread.' }),
    },
    subscribe: (_root, { userId, threadId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const only = threadId == null ? null : localId('Thread', owner, threadId);
      return app.places.hold(owner, () => watchCompactions(app, owner, only));
    },
    resolve: (progress) => progress,
  }),
);

builder.mutationField('compact', (t) =>
  t.field({
    type: ThreadNode,
    description:
      'Has a thread compacted soon, all its turns so far, also while it goes on. Watch `compactions` for how far it is. Does nothing where the summaries tell everything.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread.' }),
    },
    resolve: async (_root, { userId, threadId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      return (await askCompaction(app, owner, localId('Thread', owner, threadId))) as never;
    },
  }),
);
