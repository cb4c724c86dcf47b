import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

/** The events after which episodes may be others. */
export const EPISODE_CHANGES = [
  'EPISODE_CREATED',
  'EPISODE_MERGED',
  'EPISODE_SKIPPED',
  'EPISODE_REVISED',
  'MEMORY_REVIEWED',
  'THREAD_COMPACTED',
  'CROSS_THREAD_CREATED',
  'CROSS_THREAD_EXTENDED',
  'CROSS_THREAD_SUMMARIZED',
  'MEMORY_IMPORTED',
] as const;

export const EPISODES = typed<
  graph.EpisodeListQuery,
  graph.EpisodeListQueryVariables
>(/* GraphQL */ `
  query EpisodeList(
    $userId: String!, $after: String, $kind: EpisodeKind, $capture: [CaptureStatus!], $below: Float
    $from: DateTime, $to: DateTime
  ) {
    user(userId: $userId) {
      id
      episodes(
        first: 50, after: $after, kind: $kind, capture: $capture, below: $below, from: $from, to: $to
      ) {
        edges {
          node { id kind title summary startedAt endedAt capture captureReason keyMoment surprise retrievability }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const WEEKS = typed<
  graph.EpisodeWeeksQuery,
  graph.EpisodeWeeksQueryVariables
>(/* GraphQL */ `
  query EpisodeWeeks($userId: String!, $from: DateTime!, $to: DateTime!) {
    user(userId: $userId) {
      id
      activity(from: $from, to: $to, step: WEEK, kinds: [TURN, EPISODE, FACT, REVIEW]) { at kind count }
    }
  }
`);

export const LATEST = typed<
  graph.LatestEpisodeQuery,
  graph.LatestEpisodeQueryVariables
>(/* GraphQL */ `
  query LatestEpisode($userId: String!) {
    user(userId: $userId) { id episodes(first: 1) { edges { node { id endedAt } } } }
  }
`);

export const EPISODE = typed<graph.OneEpisodeQuery, graph.OneEpisodeQueryVariables>(/* GraphQL */ `
  query OneEpisode($userId: String!, $id: ID!) {
    episode(userId: $userId, id: $id) {
      id kind title topic approach sentence summary micro meso macro startedAt endedAt
      capture captureReason keyMoment surprise stability difficulty retrievability lastReviewedAt model
      captureSignals {
        notability novelty outcome telling recallIntent routineShare factShare similarity
        decisions milestones nextSteps toolChanges
      }
      mergedInto { id title }
      summarizedInto { id summary }
      thread { id title }
      threads { id title }
      reviews {
        number rating at byHand
        before { stability difficulty }
        after { stability difficulty }
      }
      revisions { number recordedAt summary }
      skills { name description useCount }
      turns { id role speaker text channel occurredAt }
    }
  }
`);

export const DECAY = typed<
  graph.EpisodeDecayQuery,
  graph.EpisodeDecayQueryVariables
>(/* GraphQL */ `
  query EpisodeDecay($userId: String!, $id: ID!, $asOf: DateTime!, $days: Int!) {
    episode(userId: $userId, id: $id) { id decay(asOf: $asOf, days: $days) { day retrievability } }
  }
`);

export const RATE = typed<
  graph.RateOneEpisodeMutation,
  graph.RateOneEpisodeMutationVariables
>(/* GraphQL */ `
  mutation RateOneEpisode($userId: String!, $id: ID!, $rating: MemoryRating!) {
    rateMemory(userId: $userId, id: $id, rating: $rating) {
      ... on Episode { __typename id }
      ...Failure
    }
  }
  ${FAILURE}`);
