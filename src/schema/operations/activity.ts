import {
  ACTIVITY_KINDS,
  type ActivityKind,
  type ActivityStep,
} from '../../domain/core/activity.ts';
import { type ActivityCount, activityOf, MOST_BUCKETS } from '../../recall/activity.ts';
import { builder } from '../core/builder.ts';
import { EventKindEnum } from '../core/scalars.ts';

const KindEnum = builder.enumType('ActivityKind', {
  description: 'What is counted over time, and by which time.',
  values: {
    TURN: { description: 'Turns, by event time: when they were said.' },
    THREAD: { description: 'Threads, by their first turn.' },
    EPISODE: { description: 'Segments that became episodes of their own, by their last turn.' },
    FACT: { description: 'Facts, by when they became true.' },
    SEMANTIC_MEMORY: { description: 'Semantic memories, by the last turn that they summarise.' },
    LINK: { description: 'Link decisions, by when they were made.' },
    REVIEW: { description: 'Reviews, by `EpisodeReview.at`.' },
    EVENT: {
      description: 'Entries of the event log, by when they were recorded, for each kind of event.',
    },
  } satisfies Record<ActivityKind, { description: string }>,
});

const StepEnum = builder.enumType('ActivityStep', {
  description: "The length of a bucket, by the calendar in the user's time zone.",
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
        'When the bucket begins. That of the first may lie before `from`, but nothing before `from` is counted.',
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
      'What happened over time, counted by kind and bucket, the earliest first. Empty buckets are left out; a span of more ' +
      `than ${MOST_BUCKETS.toLocaleString('en')} buckets is refused.`,
    complexity: { field: 1, multiplier: 100 },
    args: {
      from: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Count what was at or after this time.',
      }),
      to: t.arg({
        type: 'DateTime',
        description: 'Count what was before this time. Defaults to now.',
      }),
      step: t.arg({ type: StepEnum, defaultValue: 'DAY', description: 'The length of a bucket.' }),
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
