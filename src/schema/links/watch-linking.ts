import type { LINKING_STAGES, LinkingProgress } from '../../domain/links/linking-progress.ts';
import { tuningRun } from '../../remember/links/linking-setting.ts';
import { type WatchedLinking, watchLinking } from '../../watch/watch-linking.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { logPlaceArgs, logPlaceOf } from '../core/log-place.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { asNode } from '../core/rows.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { ThreadNode } from '../threads/thread.ts';
import { LinkNode, PartsType } from './link.ts';
import { TuningRunNode } from './linking.ts';

const StageEnum = builder.enumType('LinkingStage', {
  description:
    'What is reported of linking: for a pair of threads CANDIDATE, then ALGORITHM and REASONER in any order, then VERDICT; what ' +
    'follows from it (EPISODE, OUTCOME); or a tuning run (TUNING).',
  values: {
    CANDIDATE: {
      description:
        'An earlier thread was found that may belong together with a new one. The algorithm and the reasoner assess the pair next.',
    },
    ALGORITHM: { description: 'The algorithm has assessed the pair.' },
    REASONER: {
      description:
        'The reasoner has assessed the pair, either now or before, when the later thread had fewer turns.',
    },
    VERDICT: {
      description:
        'A decision was stored. When a pair is assessed again, this stage may be missing, because the stored decision holds.',
    },
    EPISODE: { description: 'A cross-thread episode was created, changed or summarised.' },
    OUTCOME: {
      description:
        'It became known whether a decision was right, or a known outcome was changed or removed with `rateLink`.',
    },
    TUNING: {
      description:
        'A tuning run or a rollback took place, for the user or the deployment, whether or not a linking setting changed.',
    },
  } satisfies Record<(typeof LINKING_STAGES)[number], { description: string }>,
});

const AlgorithmType = builder
  .objectRef<NonNullable<LinkingProgress['algorithm']>>('AlgorithmicAssessment')
  .implement({
    description:
      'The assessment of a pair of threads by the algorithm, a weighted mean of measured parts.',
    fields: (t) => ({
      score: t.exposeFloat('score', {
        description:
          'The weighted mean of those parts that could be computed, 0-1; 0 if none could.',
      }),
      parts: t.expose('parts', {
        type: PartsType,
        description: 'The parts that make up the score.',
      }),
      related: t.exposeBoolean('related', {
        description: 'Whether the score is above the threshold of the linking setting in force.',
      }),
      confidence: t.exposeFloat('confidence', {
        description:
          'How far the score is from the threshold: 0 at the threshold itself, 1 at a score of 0 or 1.',
      }),
    }),
  });

const ReasonerType = builder
  .objectRef<NonNullable<LinkingProgress['reasoner']>>('ReasonerAssessment')
  .implement({
    description:
      'The assessment of a pair of threads by the reasoner, which is a language model or the built-in rules. ' +
      '`Link.reasoning` explains it if the decision is then stored.',
    fields: (t) => ({
      related: t.exposeBoolean('related', {
        description: 'Whether the reasoner considers the two threads related.',
      }),
      confidence: t.exposeFloat('confidence', {
        description:
          "The reasoner's confidence in its assessment, 0-1, where 0.5 or less means undecided.",
      }),
    }),
  });

const ProgressType = builder.objectRef<WatchedLinking>('LinkingProgress').implement({
  description:
    'One stage in the linking of threads, which decides whether a thread belongs together with an earlier one.',
  fields: (t) => ({
    stage: t.expose('stage', { type: StageEnum, description: 'Which stage was reached.' }),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description:
        'Pass it as `after` to continue after this entry. Null for stages that are not stored: only VERDICT, EPISODE and OUTCOME are.',
    }),
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description:
        'The later thread of the pair; null for the stages EPISODE and TUNING, or if it was forgotten in the meantime.',
      resolve: ({ userId, threadId: id }, _args, context, info) =>
        id === undefined ? null : loadersOf(context).threads.load({ userId, id, info }),
    }),
    earlierThread: t.field({
      type: ThreadNode,
      nullable: true,
      description:
        'The earlier thread of the pair; null for the stages EPISODE and TUNING, or if it was forgotten in the meantime.',
      resolve: ({ userId, earlierThreadId: id }, _args, context, info) =>
        id === undefined ? null : loadersOf(context).threads.load({ userId, id, info }),
    }),
    algorithm: t.field({
      type: AlgorithmType,
      nullable: true,
      description: "The algorithm's assessment; only in the stage ALGORITHM.",
      resolve: ({ algorithm }) => algorithm ?? null,
    }),
    reasoner: t.field({
      type: ReasonerType,
      nullable: true,
      description: "The reasoner's assessment; only in the stage REASONER.",
      resolve: ({ reasoner }) => reasoner ?? null,
    }),
    link: t.field({
      type: LinkNode,
      nullable: true,
      description:
        'The link decision as it is now; only in the stages VERDICT and OUTCOME, and null if it was forgotten in the meantime.',
      resolve: ({ userId, linkId: id }, _args, context, info) =>
        id === undefined ? null : loadersOf(context).links.load({ userId, id, info }),
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The cross-thread episode as it is now; only in the stage EPISODE, and null if it was dissolved or merged into another in the meantime.',
      resolve: ({ userId, episodeId: id }, _args, context, info) =>
        id === undefined ? null : loadersOf(context).episodes.load({ userId, id, info }),
    }),
    tuningRun: t.field({
      type: TuningRunNode,
      nullable: true,
      description: 'The tuning run; only in the stage TUNING.',
      resolve: async ({ tuning }, _args, { app }) => {
        const run = tuning && (await tuningRun(app, tuning.scope, tuning.number));
        return run && asNode(TuningRunNode, run);
      },
    }),
  }),
});

builder.subscriptionField('linking', (t) =>
  t.field({
    type: ProgressType,
    description:
      'Streams how threads are linked. VERDICT, EPISODE and OUTCOME are stored: each comes once, in order, and with `after` ' +
      'or `fromStart` past ones come first. The other stages only come live. It is not reported that an episode was ' +
      'dissolved, or that forgetting took a thread out of it.',
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose linking of threads is reported'),
      }),
      ...logPlaceArgs('verdict, episode or outcome'),
    },
    subscribe: (_root, { userId, ...place }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      return app.places.hold(owner, () => watchLinking(app, owner, logPlaceOf(place)));
    },
    resolve: (progress) => progress,
  }),
);
