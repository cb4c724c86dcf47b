import { DEPLOYMENT } from '../../domain/core/deployment.ts';
import { Forbidden, InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { Viewer } from '../../domain/core/viewer.ts';
import type { LinkingSetting } from '../../domain/links/linking.ts';
import type { Disagreements, ThresholdRates } from '../../domain/links/linking-metrics.ts';
import {
  linkingSetting,
  type TuningRun,
  tuningRun,
  tuningRuns,
} from '../../remember/links/linking-setting.ts';
import { rollBack, tune } from '../../remember/links/tune-linking.ts';
import { REFUSALS, scopesOf } from '../core/access.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { asNode, jsonOf } from '../core/rows.ts';
import { WeightsType } from './link.ts';
import { LinkingSignalEnum, TuningKindEnum, TuningScopeEnum } from './link-enums.ts';
import { DisagreementsType, MetricsType, RatesType } from './linking-metrics.ts';

type GraphApp = (typeof builder.$inferSchemaTypes)['Context']['app'];
const MOST_RUNS = 100;

const SettingType = builder.objectRef<LinkingSetting>('LinkingSetting').implement({
  description:
    'What decides which threads are linked: the threshold, the weights, and the signals that the reasoner is asked to look for.',
  fields: (t) => ({
    threshold: t.exposeFloat('threshold', {
      description:
        'The algorithmic score (0-1) above which the algorithm considers two threads related.',
    }),
    weights: t.expose('weights', {
      type: WeightsType,
      description: 'How much each part contributes to the score.',
    }),
    promptSignals: t.field({
      type: [LinkingSignalEnum],
      description:
        'Signals that the reasoner is asked to look for because it has missed them before.',
      resolve: ({ hints }) => [...hints],
    }),
  }),
});

export const TuningRunNode = builder.prismaNode('TuningRun', {
  description:
    'One attempt to improve the linking setting, whether it succeeded or not, or one return to an earlier setting. A run ' +
    'contains no words that were said.',
  id: {
    field: 'userId_number',
    description:
      'Global id of the tuning run. Pass it to `node`, or as `tuningRunId` to `rollBackLinking`.',
  },
  nullable: true,
  fields: (t) => ({
    scope: t.field({
      type: TuningScopeEnum,
      description:
        'For whom the run sets the linking setting: one user, or all users who have none of their own.',
      resolve: ({ userId }) => (userId === DEPLOYMENT ? 'DEPLOYMENT' : 'USER'),
    }),
    number: t.exposeInt('number', {
      description: 'Sequence number among the runs of the same scope, from 1.',
    }),
    kind: t.expose('kind', {
      type: TuningKindEnum,
      description: 'Whether the run looked for a better setting or restored an earlier one.',
    }),
    kept: t.exposeBoolean('kept', { description: 'Whether the setting `next` was put in force.' }),
    reason: t.exposeString('reason', {
      description:
        'Why threshold and weights changed or stay, in one sentence; after a rollback, which run it undid. New `promptSignals` are not explained.',
    }),
    decisions: t.exposeInt('decisions', {
      description:
        'How many rated decisions (those with a known outcome) the run used: at most the 2,000 rated last.',
    }),
    previous: t.field({
      type: SettingType,
      description:
        "The setting in force before the run; before a user's first run, that is the setting of the deployment, or else the " +
        'neutral one.',
      resolve: ({ previous }) => jsonOf<LinkingSetting>(previous),
    }),
    next: t.field({
      type: SettingType,
      description: 'The setting after the run; the same as `previous` if `kept` is false.',
      resolve: ({ next }) => jsonOf<LinkingSetting>(next),
    }),
    before: t.field({
      type: MetricsType,
      description:
        'The metrics of the previous setting: all decisions that the run used are judged again by it.',
      resolve: ({ metrics }) => jsonOf<TuningRun['metrics']>(metrics).before,
    }),
    after: t.field({
      type: MetricsType,
      description:
        'An estimate of the metrics under the new setting: each fifth of the decisions is judged by what was found best on the ' +
        'other four fifths. After a rollback, all are judged by `next`. The same as `before` if threshold and weights stay.',
      resolve: ({ metrics }) => jsonOf<TuningRun['metrics']>(metrics).after,
    }),
    thresholds: t.field({
      type: [RatesType],
      description:
        'Error rates of the algorithm, without the reasoner and with the previous weights, at the thresholds 0.60, 0.65, … 0.85.',
      resolve: ({ thresholds }) => jsonOf<ThresholdRates[]>(thresholds),
    }),
    disagreements: t.field({
      type: DisagreementsType,
      description:
        'Where the algorithm, under the previous setting, and the reasoner differed: how often, and which was right.',
      resolve: ({ disagreements }) => jsonOf<Disagreements>(disagreements),
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the run took place.' }),
  }),
});

builder.prismaObjectFields('User', (t) => ({
  linkingSetting: t.field({
    type: SettingType,
    description:
      'The linking setting in force for this user: their own, else that of the deployment, else the neutral setting (the one ' +
      'before any tuning).',
    resolve: ({ id }, _args, { app }) => linkingSetting(app, id),
  }),
  tuningRuns: t.field({
    type: [TuningRunNode],
    description: `Tuning runs for this user and for the deployment, latest first; at most ${MOST_RUNS}.`,
    resolve: async ({ id }, _args, { app }) => {
      const runs = await tuningRuns(app, id, MOST_RUNS);
      return runs.map((run) => asNode(TuningRunNode, run));
    },
  }),
}));

/** Returns the scope of a run, and the user whose event log records it. @throws Forbidden if a user asks for DEPLOYMENT */
function scopeOf(viewer: Viewer, scope: 'USER' | 'DEPLOYMENT', userId: string | null | undefined) {
  if (scope === 'USER') {
    const owner = userOf(viewer, userId);
    return { scope: owner, owner };
  }
  if (!scopesOf(viewer).admin) {
    throw new Forbidden(REFUSALS.admin);
  }
  return { scope: DEPLOYMENT, owner: userOf(viewer, userId) };
}

const errors = { types: [InvalidInput, NotFound, Forbidden] };

const runOf = async (app: GraphApp, scope: string, number: number) => {
  const run = await tuningRun(app, scope, number);
  if (!run) throw new NotFound('tuning run');
  return asNode(TuningRunNode, run);
};

const ownerOfRun = (recorded: string, done: string) =>
  describeOwner(
    `The user whose event log records ${recorded} and, if \`scope\` is USER, whose setting is ${done}`,
  );

builder.mutationField('tuneLinking', (t) =>
  t.field({
    type: TuningRunNode,
    description:
      "Tunes a linking setting now, by decisions with a known outcome, at most the 2,000 rated last: the user's or, with " +
      'DEPLOYMENT, those of all users without imported ones. With fewer than 20, threshold and weights stay. The server ' +
      "itself tunes the deployment's setting, and that of a user who already has their own, whenever LINKING_TUNE_EVERY " +
      'outcomes are new since its last tuning.',
    errors,
    args: {
      userId: t.arg.string({ description: ownerOfRun('the run', 'tuned') }),
      scope: t.arg({
        type: TuningScopeEnum,
        defaultValue: 'USER',
        description:
          'For whom the setting is tuned, and whose decisions count. DEPLOYMENT requires a key with access ALL for all users, or the local user.',
      }),
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
    description:
      'Puts the linking setting from before a tuning run (its `previous`) in force again, which also undoes any later runs. ' +
      'This is recorded as a new tuning run.',
    errors,
    args: {
      userId: t.arg.string({ description: ownerOfRun('the rollback', 'restored') }),
      scope: t.arg({
        type: TuningScopeEnum,
        defaultValue: 'USER',
        description:
          'The `scope` of the run to undo. DEPLOYMENT requires a key with access ALL for all users, or the local user, as ' +
          'for `tuneLinking`.',
      }),
      tuningRunId: t.arg.id({ required: true, description: 'The `id` of the tuning run to undo.' }),
    },
    resolve: async (_root, args, { app, viewer }) => {
      const { scope, owner } = scopeOf(viewer, args.scope ?? 'USER', args.userId);
      const number = localId('TuningRun', scope, args.tuningRunId);
      return runOf(app, scope, await rollBack(app, owner, { scope, number }));
    },
  }),
);
