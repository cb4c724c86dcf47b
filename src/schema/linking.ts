import { Forbidden, InvalidInput, NotFound } from '../domain/errors.ts';
import type { LinkingSetting } from '../domain/linking.ts';
import type { Disagreements, LinkingMetrics, ThresholdRates } from '../domain/linking-metrics.ts';
import type { Viewer } from '../domain/viewer.ts';
import {
  linkingSetting,
  type TuningRun,
  tuningRun,
  tuningRuns,
} from '../remember/linking-setting.ts';
import { DEPLOYMENT, rollBack, tune } from '../remember/tune-linking.ts';
import { builder } from './builder.ts';
import { LinkingSignalEnum, WeightsType } from './link.ts';
import { localId, userOf } from './request-context.ts';

type App = (typeof builder.$inferSchemaTypes)['Context']['app'];
const MOST_RUNS = 100;

const SettingType = builder.objectRef<LinkingSetting>('LinkingSetting').implement({
  description: 'What linking goes by.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', {
      description: 'Above this score the algorithm says that two threads belong together.',
    }),
    weights: t.expose('weights', { type: WeightsType, description: 'What each part counts.' }),
    promptSignals: t.field({
      type: [LinkingSignalEnum],
      description: 'What the reasoner is told to look at, because it missed it.',
      resolve: ({ hints }) => [...hints],
    }),
  }),
});

const MetricsType = builder.objectRef<LinkingMetrics>('LinkingMetrics').implement({
  description: 'How right decisions are; shares, 0-1.',
  fields: (t) => ({
    accuracy: t.exposeFloat('accuracy', { description: 'Right ones of all.' }),
    precision: t.exposeFloat('precision', { description: 'Right ones of those that link.' }),
    recall: t.exposeFloat('recall', {
      description: 'Of what belongs together, how much is linked.',
    }),
    f1: t.exposeFloat('f1', { description: 'The harmonic mean of precision and recall.' }),
    falsePositiveRate: t.exposeFloat('falsePositiveRate', {
      description: 'Of what does not belong together, how much is linked.',
    }),
    falseNegativeRate: t.exposeFloat('falseNegativeRate', {
      description: 'Of what belongs together, how much is not linked.',
    }),
  }),
});

const RatesType = builder.objectRef<ThresholdRates>('ThresholdRates').implement({
  description: 'How wrong the algorithm alone would be at a threshold.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', { description: 'The threshold.' }),
    falsePositiveRate: t.exposeFloat('falsePositiveRate', {
      description: 'Of what does not belong together, how much scores above it.',
    }),
    falseNegativeRate: t.exposeFloat('falseNegativeRate', {
      description: 'Of what belongs together, how much does not.',
    }),
  }),
});

const DisagreementsType = builder.objectRef<Disagreements>('LinkingDisagreements').implement({
  description: 'Who was right where algorithm and reasoner differed.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How often they differed.' }),
    algorithmRight: t.exposeInt('algorithmRight', { description: 'How often the algorithm was.' }),
    reasonerRight: t.exposeInt('reasonerRight', { description: 'How often the reasoner was.' }),
  }),
});

const ScopeEnum = builder.enumType('TuningScope', {
  description: 'For whom a setting holds.',
  values: {
    USER: { description: 'For one user: it takes precedence.' },
    DEPLOYMENT: { description: 'For all who have none of their own.' },
  },
});

const KindEnum = builder.enumType('TuningKind', {
  description: 'How a setting was changed.',
  values: {
    TUNED: { description: 'By rated decisions.' },
    ROLLED_BACK: { description: 'Back to an earlier one, by hand.' },
  },
});

export const TuningRunNode = builder.prismaNode('TuningRun', {
  description:
    'A change of what linking goes by, tried or made (seed 000 §2.4). It holds numbers and names of a closed list.',
  id: { field: 'userId_number' },
  nullable: true,
  fields: (t) => ({
    scope: t.field({
      type: ScopeEnum,
      description: 'For whom it holds.',
      resolve: ({ userId }) => (userId === DEPLOYMENT ? 'DEPLOYMENT' : 'USER'),
    }),
    number: t.exposeInt('number', { description: 'Counts the runs of its scope.' }),
    kind: t.expose('kind', { type: KindEnum, description: 'How it came about.' }),
    kept: t.exposeBoolean('kept', { description: 'Whether the new setting was put in force.' }),
    reason: t.exposeString('reason', { description: 'Why, in a sentence.' }),
    decisions: t.exposeInt('decisions', { description: 'By how many rated decisions.' }),
    previous: t.field({
      type: SettingType,
      description: 'What held before.',
      resolve: ({ previous }) => previous as unknown as LinkingSetting,
    }),
    next: t.field({
      type: SettingType,
      description: 'What holds since; the same if nothing better was found.',
      resolve: ({ next }) => next as unknown as LinkingSetting,
    }),
    before: t.field({
      type: MetricsType,
      description: 'How right the decisions were by the previous setting.',
      resolve: ({ metrics }) => (metrics as unknown as TuningRun['metrics']).before,
    }),
    after: t.field({
      type: MetricsType,
      description: 'The same by such a new setting, on decisions that it was not fitted on.',
      resolve: ({ metrics }) => (metrics as unknown as TuningRun['metrics']).after,
    }),
    thresholds: t.field({
      type: [RatesType],
      description: 'False positives and negatives by threshold.',
      resolve: ({ thresholds }) => thresholds as unknown as ThresholdRates[],
    }),
    disagreements: t.field({
      type: DisagreementsType,
      description: 'Who was right where the two assessments differed.',
      resolve: ({ disagreements }) => disagreements as unknown as Disagreements,
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When.' }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  linkingSetting: t.field({
    type: SettingType,
    description: 'What linking goes by for this user.',
    resolve: ({ id }, _args, { app }) => linkingSetting(app, id),
  }),
  tuningRuns: t.field({
    type: [TuningRunNode],
    description: `Changes of what linking goes by, of this user's own setting and the deployment's, the latest first; at most ${MOST_RUNS}.`,
    resolve: async ({ id }, _args, { app }) => (await tuningRuns(app, id, MOST_RUNS)) as never,
  }),
}));

/** @throws Forbidden when somebody who is a user only would change the setting of all */
function scopeOf(viewer: Viewer, scope: 'USER' | 'DEPLOYMENT', userId: string | null | undefined) {
  if (scope === 'USER') {
    const owner = userOf(viewer, userId);
    return { scope: owner, owner };
  }
  if (viewer.kind === 'user') {
    throw new Forbidden('Only an API key, or the local user of an open server, may tune for all.');
  }
  return { scope: DEPLOYMENT, owner: userOf(viewer, userId) };
}

const errors = { types: [InvalidInput, NotFound, Forbidden] };

const runOf = async (app: App, scope: string, number: number) =>
  (await tuningRun(app, scope, number)) as never;

builder.mutationField('tuneLinking', (t) =>
  t.field({
    type: TuningRunNode,
    description:
      'Tunes what linking goes by, now, by the decisions that were rated so far. In the background that happens every LINKING_TUNE_EVERY rated decisions for the deployment, and for users who have a setting of their own.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose log tells of it.' }),
      scope: t.arg({ type: ScopeEnum, defaultValue: 'USER', description: 'For whom.' }),
    },
    resolve: async (_root, args, { app, viewer }) => {
      const { scope, owner } = scopeOf(viewer, args.scope ?? 'USER', args.userId);
      return runOf(app, scope, await tune(app, owner, scope));
    },
  }),
);

builder.mutationField('rollBackLinking', (t) =>
  t.field({
    type: TuningRunNode,
    description: 'Puts in force again what linking went by before a run.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose log tells of it.' }),
      scope: t.arg({ type: ScopeEnum, defaultValue: 'USER', description: 'Of whom the run is.' }),
      tuningRunId: t.arg.id({ required: true, description: 'The `id` of the run.' }),
    },
    resolve: async (_root, args, { app, viewer }) => {
      const { scope, owner } = scopeOf(viewer, args.scope ?? 'USER', args.userId);
      const number = localId('TuningRun', scope, args.tuningRunId);
      return runOf(app, scope, await rollBack(app, owner, scope, number));
    },
  }),
);
