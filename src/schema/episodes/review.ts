import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import type { EpisodeKind } from '../../domain/episodes/episode.ts';
import {
  type DecayPoint,
  decayOf,
  type FadingState,
  fadesSince,
  type MemoryState,
  type RATINGS,
  retrievability,
} from '../../domain/episodes/forgetting.ts';
import { rateMemory } from '../../remember/episodes/rate-memory.ts';
import { builder } from '../core/builder.ts';
import { checkedCount } from '../core/checked-count.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { GeneratedByEnum } from '../core/scalars.ts';

/** The most points that a forgetting curve may have. */
const MOST_DAYS = 3_650;
/** The most reviews that are returned. */
const NEWEST = 100;

const RatingEnum = builder.enumType('MemoryRating', {
  description:
    'How useful an episode was in a conversation, by the four grades of FSRS. From worst to best: AGAIN, HARD, GOOD, EASY.',
  values: {
    AGAIN: { description: 'The episode was not used.' },
    HARD: { description: 'The episode was only remotely related to the conversation.' },
    GOOD: { description: 'The episode was used.' },
    EASY: { description: 'The conversation was built on the episode.' },
  } satisfies Record<(typeof RATINGS)[number], { description: string }>,
});

const StateType = builder.objectRef<MemoryState>('ForgettingState').implement({
  description: 'The FSRS state of an episode: it decides how fast the episode fades.',
  fields: (t) => ({
    stability: t.exposeFloat('stability', {
      description: 'Days in which the probability of recall falls from 100 % to 90 %.',
    }),
    difficulty: t.exposeFloat('difficulty', {
      description:
        'How hard the episode is to retain, 1-10: the harder, the less a good grade slows its fading.',
    }),
  }),
});

const ReviewType = builder.prismaObject('EpisodeReview', {
  description:
    'A review: a grade of an episode, from how a conversation used it or by `rateMemory`. It updated the FSRS state of the ' +
    'episode, and so how fast the episode fades.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Number in the order of reviews, from 1 (the first). A `forget` of the turns behind a review may leave a gap.',
    }),
    rating: t.expose('rating', { type: RatingEnum, description: 'How useful the episode was.' }),
    at: t.expose('at', {
      type: 'DateTime',
      description:
        'Event time of the last turn by which the episode was graded, or the time of `rateMemory`. If the previous review or the ' +
        'end of the episode is later, the later of the two instead.',
    }),
    byHand: t.boolean({
      description:
        'True if the grade was given by `rateMemory`; false if it was derived from how a conversation continued.',
      resolve: ({ generatedBy }) => generatedBy === null,
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      nullable: true,
      description:
        'Whether the built-in rules or a model graded the episode; null if graded by hand.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description:
        'The model that graded it, or the version of the built-in rules; null if graded by hand.',
    }),
    before: t.field({
      type: StateType,
      description: 'The FSRS state before the review.',
      resolve: ({ stabilityBefore, difficultyBefore }) => ({
        stability: stabilityBefore,
        difficulty: difficultyBefore,
      }),
    }),
    after: t.field({
      type: StateType,
      description: 'The FSRS state after the review.',
      resolve: ({ stability, difficulty }) => ({ stability, difficulty }),
    }),
    thread: t.relation('thread', {
      nullable: true,
      description: 'The thread in which the episode had been shown; null if graded by hand.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the review was stored.',
    }),
  }),
});

const DecayPointType = builder.objectRef<DecayPoint>('DecayPoint').implement({
  description: 'One point of a forgetting curve.',
  fields: (t) => ({
    day: t.exposeInt('day', { description: 'Days since the first point of the curve.' }),
    at: t.expose('at', { type: 'DateTime', description: 'The time of this point.' }),
    retrievability: t.exposeFloat('retrievability', {
      description: 'The probability of recall at this time, 0-1.',
    }),
  }),
});

type Row = {
  kind: EpisodeKind;
  capture: string | null;
  stability: number | null;
  difficulty: number | null;
  endedAt: Date;
  lastReviewedAt: Date | null;
};

/** Returns the FSRS state of an episode; null if it does not fade. */
function memoryOf(episode: Row): FadingState | null {
  const { kind, capture, stability, difficulty, endedAt, lastReviewedAt } = episode;
  const fades = capture === 'CREATED' || kind === 'CROSS_THREAD';
  if (!fades || stability === null || difficulty === null) return null;
  return { stability, difficulty, since: fadesSince(endedAt, lastReviewedAt) };
}

builder.prismaObjectFields('Episode', (t) => ({
  retrievability: t.float({
    nullable: true,
    description:
      'The probability that the episode is still recalled, 0-1. It falls along the FSRS forgetting curve from the last review ' +
      'or from the end of the episode, whichever is later; before that time it is 1. Null for an ' +
      'episode that does not fade: all but a SEGMENT whose `capture` is CREATED, and a CROSS_THREAD.',
    args: {
      asOf: t.arg({
        type: 'DateTime',
        description: 'The time to compute it for. Defaults to now.',
      }),
    },
    resolve: (episode, { asOf }, { app }) => {
      const memory = memoryOf(episode);
      return memory && retrievability(memory, memory.since, asOf ?? app.clock());
    },
  }),
  decay: t.field({
    type: [DecayPointType],
    nullable: true,
    description:
      'The forgetting curve with one point a day, earliest first, assuming no further review. Null if the episode does not fade.',
    args: {
      days: t.arg.int({
        defaultValue: 30,
        description: `How many days the curve covers, 1-${MOST_DAYS}. The list has one point more, since it begins with day 0.`,
      }),
      asOf: t.arg({
        type: 'DateTime',
        description: 'The time of the first point. Defaults to now.',
      }),
    },
    complexity: ({ days }) => ({ field: 1, multiplier: Math.max(1, (days ?? 0) / 10) }),
    resolve: (episode, { days, asOf }, { app }) => {
      const count = checkedCount('days', days ?? 30, MOST_DAYS);
      const memory = memoryOf(episode);
      return memory && decayOf(memory, asOf ?? app.clock(), count);
    },
  }),
  reviews: t.relation('reviews', {
    type: ReviewType,
    description: `Reviews of the episode, latest first: at most the latest ${NEWEST}.`,
    query: { orderBy: { number: 'desc' }, take: NEWEST },
  }),
}));

builder.mutationField('rateMemory', (t) =>
  t.prismaField({
    type: 'Episode',
    description:
      'Grades an episode by hand, which updates its FSRS state: the episode then fades more slowly or faster. An episode ' +
      'that was shown in a thread is also graded automatically, by how the conversation continues, unless it was graded that day.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose episode is graded'),
      }),
      id: t.arg.id({
        required: true,
        description:
          'The `id` of an episode that fades: a SEGMENT whose `capture` is CREATED, or a CROSS_THREAD. For any other episode, the ' +
          'result is an `InvalidInputError`.',
      }),
      rating: t.arg({
        type: RatingEnum,
        required: true,
        description: 'The grade: how useful the episode was.',
      }),
    },
    resolve: async (query, _root, { userId, id, rating }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const episodeId = localId('Episode', owner, id);
      await rateMemory(app, owner, { episodeId, rating });
      const where = { userId_id: { userId: owner, id: episodeId } };
      return prisma.episode.findUniqueOrThrow({ ...query, where });
    },
  }),
);
