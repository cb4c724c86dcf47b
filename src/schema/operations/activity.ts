import {
  ACTIVITY_KINDS,
  type ActivityKind,
  type ActivityStep,
} from '../../domain/core/activity.ts';
import { type ActivityCount, activityOf, MOST_BUCKETS } from '../../recall/activity.ts';
import { builder } from '../core/builder.ts';
import { EventKindEnum } from '../core/scalars.ts';

const KindEnum = builder.enumType('ActivityKind', {
  description: 'What `activity` counts, and the time by which it is counted.',
  values: {
    TURN: { description: 'Counts turns, by event time: when they were said.' },
    THREAD: {
      description: 'Counts threads, by when they began: with their first turn, or by `openThread`.',
    },
    EPISODE: {
      description: 'Counts segments that became episodes of their own, by their last turn.',
    },
    FACT: { description: 'Counts facts, by when they became true.' },
    SEMANTIC_MEMORY: {
      description: 'Counts semantic memories, by the last turn that they summarise.',
    },
    LINK: { description: 'Counts link decisions, by `Link.decidedAt`.' },
    REVIEW: { description: 'Counts reviews, by `EpisodeReview.at`.' },
    EVENT: {
      description:
        'Counts entries of the event log, by when they were recorded. Each kind of event is counted separately.',
    },
  } satisfies Record<ActivityKind, { description: string }>,
});

const StepEnum = builder.enumType('ActivityStep', {
  description:
    "The length of a bucket, by the calendar in the user's time zone (UTC if none is set).",
  values: {
    MINUTE: { description: 'A minute.' },
    HOUR: { description: 'An hour.' },
    DAY: { description: 'A day.' },
    WEEK: { description: 'A week, from Monday on.' },
    MONTH: { description: 'A month.' },
  } satisfies Record<ActivityStep, { description: string }>,
});

const ActivityType = builder.objectRef<ActivityCount>('Activity').implement({
  description: 'The count of one kind of thing in one bucket of time.',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description:
        'When the bucket begins. The first bucket may begin before `from`, but nothing before `from` is counted.',
    }),
    kind: t.expose('kind', { type: KindEnum, description: 'What was counted.' }),
    event: t.expose('event', {
      type: EventKindEnum,
      nullable: true,
      description: 'For EVENT: which kind of event was counted; null for other kinds.',
    }),
    count: t.exposeInt('count', { description: 'How many there were, at least 1.' }),
  }),
});

builder.prismaObjectField('User', 'activity', (t) =>
  t.field({
    type: [ActivityType],
    description:
      'What happened over time, counted by kind and bucket, the earliest first. Empty buckets are left out; a span longer ' +
      `than ${MOST_BUCKETS.toLocaleString('en')} steps (a month counted as 30 days) is refused.`,
    complexity: { field: 1, multiplier: 100 },
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description:
          'Count only what happened at or after this time. `ActivityKind` says which time counts for each kind.',
      }),
      to: t.arg({
        type: 'DateTime',
        description:
          'Count only what happened before this time, which must be later than `from`. Defaults to now.',
      }),
      step: t.arg({
        type: StepEnum,
        defaultValue: 'DAY',
        description: 'How long each bucket is; DAY by default.',
      }),
      kinds: t.arg({ type: [KindEnum], description: 'Count only these kinds; all by default.' }),
    },
    resolve: ({ id }, { from, to, step, kinds }, { app }) =>
      activityOf(app, id, {
        from,
        to: to ?? app.clock(),
        step: step ?? 'DAY',
        kinds: kinds ?? ACTIVITY_KINDS,
      }),
  }),
);
