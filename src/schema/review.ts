import { InvalidInput, NotFound } from '../domain/errors.ts';
import {
  type DecayPoint,
  decayOf,
  type Memory,
  type MemoryState,
  type RATINGS,
  retrievability,
} from '../domain/forgetting.ts';
import { rateMemory } from '../remember/rate-memory.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';
import { GeneratedByEnum } from './scalars.ts';

/** Points of a curve at most. */
const MOST_DAYS = 3_650;
/** Reviews shown. */
const NEWEST = 100;

const RatingEnum = builder.enumType('MemoryRating', {
  description: 'How useful a memory was in the talk in which it was shown.',
  values: {
    AGAIN: { description: 'It was not used.' },
    HARD: { description: 'It was tangential.' },
    GOOD: { description: 'It was used.' },
    EASY: { description: 'The talk was built upon it.' },
  } satisfies Record<(typeof RATINGS)[number], { description: string }>,
});

const StateType = builder.objectRef<MemoryState>('ForgettingState').implement({
  description: 'What FSRS knows of a memory.',
  fields: (t) => ({
    stability: t.exposeFloat('stability', {
      description: 'Days until it is recalled with a probability of 90 %.',
    }),
    difficulty: t.exposeFloat('difficulty', { description: '1-10.' }),
  }),
});

const ReviewType = builder.prismaObject('EpisodeReview', {
  description: 'A judgement of an episode, which moved its FSRS state (seed 001).',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1, the earliest.' }),
    rating: t.expose('rating', { type: RatingEnum, description: 'How useful it was.' }),
    at: t.expose('at', {
      type: 'DateTime',
      description:
        'When the talk took place by which it was judged; never before an earlier review.',
    }),
    byHand: t.boolean({
      description: 'Whether `rateMemory` gave it.',
      resolve: ({ generatedBy }) => generatedBy === null,
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      nullable: true,
      description: 'Who judged; null = by hand.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The language model, or the version of the built-in rules; null = by hand.',
    }),
    before: t.field({
      type: StateType,
      description: 'The state that it moved.',
      resolve: ({ stabilityBefore, difficultyBefore }) => ({
        stability: stabilityBefore,
        difficulty: difficultyBefore,
      }),
    }),
    after: t.field({
      type: StateType,
      description: 'The state since.',
      resolve: ({ stability, difficulty }) => ({ stability, difficulty }),
    }),
    thread: t.relation('thread', {
      nullable: true,
      description: 'The thread of that talk; null = by hand.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was judged.' }),
  }),
});

const DecayPointType = builder.objectRef<DecayPoint>('DecayPoint').implement({
  description: 'A point of a forgetting curve.',
  fields: (t) => ({
    day: t.exposeInt('day', { description: 'Days from the first point.' }),
    at: t.expose('at', { type: 'DateTime', description: 'The moment.' }),
    retrievability: t.exposeFloat('retrievability', {
      description: 'How likely it is recalled then, 0-1.',
    }),
  }),
});

type Row = {
  capture: string | null;
  stability: number | null;
  difficulty: number | null;
  endedAt: Date;
  lastReviewedAt: Date | null;
};

/** Null: it does not fade. */
function memoryOf({ capture, stability, difficulty, endedAt, lastReviewedAt }: Row): Memory | null {
  if (capture !== 'CREATED' || stability === null || difficulty === null) return null;
  return { stability, difficulty, since: lastReviewedAt ?? endedAt };
}

builder.prismaObjectFields('Episode', (t) => ({
  retrievability: t.float({
    nullable: true,
    description:
      'How likely it is recalled, 0-1: the forgetting curve of FSRS from the last review on, 1 before. Null if it does not fade.',
    args: { asOf: t.arg({ type: 'DateTime', description: 'When; now if left out.' }) },
    resolve: (episode, { asOf }, { app }) => {
      const memory = memoryOf(episode);
      return memory && retrievability(memory, memory.since, asOf ?? app.clock());
    },
  }),
  decay: t.field({
    type: [DecayPointType],
    nullable: true,
    description:
      'Its forgetting curve for a plot, a point a day, as it is without a further review. Null if it does not fade.',
    args: {
      days: t.arg.int({ defaultValue: 30, description: `How many, 1-${MOST_DAYS}.` }),
      asOf: t.arg({ type: 'DateTime', description: 'The first point; now if left out.' }),
    },
    complexity: ({ days }) => ({ field: 1, multiplier: Math.max(1, (days ?? 0) / 10) }),
    resolve: (episode, { days, asOf }, { app }) => {
      const count = days ?? 30;
      if (count < 1 || count > MOST_DAYS) {
        throw new InvalidInput([{ path: 'days', message: `must be 1 to ${MOST_DAYS}` }]);
      }
      const memory = memoryOf(episode);
      return memory && decayOf(memory, asOf ?? app.clock(), count);
    },
  }),
  reviews: t.relation('reviews', {
    type: ReviewType,
    description: `Its reviews, the latest first; of more than ${NEWEST} the latest.`,
    query: { orderBy: { number: 'desc' }, take: NEWEST },
  }),
}));

builder.mutationField('rateMemory', (t) =>
  t.prismaField({
    type: 'Episode',
    description:
      'Reviews an episode by hand: FSRS moves, and it fades more slowly or faster. What was shown in a thread is reviewed by itself, by the talk that follows.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      id: t.arg.id({ required: true, description: 'The `id` of the episode.' }),
      rating: t.arg({ type: RatingEnum, required: true, description: 'How useful it was.' }),
    },
    resolve: async (query, _root, { userId, id, rating }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const episodeId = localId('Episode', owner, id);
      await rateMemory(app, owner, episodeId, rating);
      const where = { userId_id: { userId: owner, id: episodeId } };
      return prisma.episode.findUniqueOrThrow({ ...query, where });
    },
  }),
);
