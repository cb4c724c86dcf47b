import type { LINKING_STAGES, LinkingProgress } from '../domain/linking-progress.ts';
import { watchLinking } from '../recall/watch-linking.ts';
import { tuningRun } from '../remember/linking-setting.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { LinkNode, PartsType } from './link.ts';
import { TuningRunNode } from './linking.ts';
import { loadersOf } from './loaders.ts';
import { userOf } from './request-context.ts';
import { ThreadNode } from './thread.ts';

type Watched = LinkingProgress & { userId: string };

const StageEnum = builder.enumType('LinkingStage', {
  description: 'How far the linking of a thread is, and what came of it later.',
  values: {
    CANDIDATE: { description: 'An earlier thread may belong together with a new one.' },
    ALGORITHM: { description: 'The algorithm has assessed the two.' },
    REASONER: { description: 'The reasoner has assessed the two.' },
    VERDICT: { description: 'It is decided.' },
    EPISODE: { description: 'A cross-thread episode has changed, or tells something new.' },
    OUTCOME: { description: 'It has shown whether a decision was right.' },
    TUNING: { description: 'What linking goes by was tuned, or set back.' },
  } satisfies Record<(typeof LINKING_STAGES)[number], { description: string }>,
});

const AlgorithmType = builder
  .objectRef<NonNullable<LinkingProgress['algorithm']>>('AlgorithmicAssessment')
  .implement({
    description: 'What the algorithm says of two threads.',
    fields: (t) => ({
      score: t.exposeFloat('score', { description: 'The weighted mean of the parts, 0-1.' }),
      parts: t.expose('parts', { type: PartsType, description: 'The parts.' }),
      related: t.exposeBoolean('related', { description: 'Whether that is above the threshold.' }),
      confidence: t.exposeFloat('confidence', {
        description: 'Its distance from the threshold, scaled to 0-1.',
      }),
    }),
  });

const ReasonerType = builder
  .objectRef<NonNullable<LinkingProgress['reasoner']>>('ReasonerAssessment')
  .implement({
    description: 'What the reasoner says of two threads; its words come with the verdict.',
    fields: (t) => ({
      related: t.exposeBoolean('related', { description: 'Whether they belong together.' }),
      confidence: t.exposeFloat('confidence', { description: 'How sure it is, 0-1.' }),
    }),
  });

const ProgressType = builder.objectRef<Watched>('LinkingProgress').implement({
  description: 'One step of the linking of threads (seed 000 §2.3).',
  fields: (t) => ({
    stage: t.expose('stage', { type: StageEnum, description: 'What has happened.' }),
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The later thread, unless forgotten since.',
      resolve: ({ userId, threadId: id }, _args, context) =>
        id === undefined ? null : (loadersOf(context).threads.load({ userId, id }) as never),
    }),
    earlierThread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The earlier thread, unless forgotten since.',
      resolve: ({ userId, earlierThreadId: id }, _args, context) =>
        id === undefined ? null : (loadersOf(context).threads.load({ userId, id }) as never),
    }),
    algorithm: t.field({
      type: AlgorithmType,
      nullable: true,
      description: 'With ALGORITHM: what it says.',
      resolve: ({ algorithm }) => algorithm ?? null,
    }),
    reasoner: t.field({
      type: ReasonerType,
      nullable: true,
      description: 'With REASONER: what it says.',
      resolve: ({ reasoner }) => reasoner ?? null,
    }),
    link: t.field({
      type: LinkNode,
      nullable: true,
      description: 'With VERDICT and OUTCOME: the decision.',
      resolve: ({ userId, linkId: id }, _args, context) =>
        id === undefined ? null : (loadersOf(context).links.load({ userId, id }) as never),
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'With EPISODE: the cross-thread episode, unless it is gone since.',
      resolve: ({ userId, episodeId: id }, _args, context) =>
        id === undefined ? null : (loadersOf(context).episodes.load({ userId, id }) as never),
    }),
    tuningRun: t.field({
      type: TuningRunNode,
      nullable: true,
      description: 'With TUNING: what was changed.',
      resolve: async ({ tuning }, _args, { app }) =>
        tuning && ((await tuningRun(app, tuning.scope, tuning.number)) as never),
    }),
  }),
});

builder.subscriptionField('linking', (t) =>
  t.field({
    type: ProgressType,
    description:
      "How the linking of a memory's threads goes on, as it happens: live only. What came of it is kept in `User.links`, and in `memoryEvents` as LINK_DECIDED, LINK_RATED and CROSS_THREAD_….",
    args: { userId: t.arg.string({ description: 'Under an API key: whose memory.' }) },
    subscribe: (_root, { userId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      return app.places.hold(owner, () => watchLinking(app, owner));
    },
    resolve: (progress) => progress,
  }),
);
