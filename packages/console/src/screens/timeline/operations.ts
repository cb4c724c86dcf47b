import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

export const THREADS = typed<
  graph.TimelineThreadsQuery,
  graph.TimelineThreadsQueryVariables
>(/* GraphQL */ `
  query TimelineThreads(
    $userId: String!, $after: String, $from: DateTime, $to: DateTime, $channel: String, $state: ThreadState, $words: String
  ) {
    user(userId: $userId) {
      id
      threads(first: 40, after: $after, from: $from, to: $to, channel: $channel, state: $state, words: $words) {
        edges {
          node {
            id title summary state channels startedAt lastActivityAt turnCount
            segments(first: 30) {
              edges { node { id startedAt endedAt keyMoment capture } }
              pageInfo { hasNextPage }
            }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const THREAD = typed<
  graph.TimelineThreadQuery,
  graph.TimelineThreadQueryVariables
>(/* GraphQL */ `
  query TimelineThread($userId: String!, $id: ID!) {
    thread(userId: $userId, id: $id) {
      id title summary state explicit channels startedAt lastActivityAt turnCount compactedThrough
    }
  }
`);

/** A part of a thread: its turns of these numbers, and the segments they are in. */
export const TURNS = typed<
  graph.TimelineTurnsQuery,
  graph.TimelineTurnsQueryVariables
>(/* GraphQL */ `
  query TimelineTurns($userId: String!, $id: ID!, $from: Int!, $to: Int!, $count: Int!) {
    thread(userId: $userId, id: $id) {
      id
      turns(first: $count, fromNumber: $from) {
        edges { node { id number role speaker text channel occurredAt toolCalls { name ok } } }
      }
      segments(first: 100, fromTurn: $from, toTurn: $to) {
        edges {
          node {
            id title firstTurn lastTurn startedAt endedAt surprise keyMoment flashbulb capture captureReason
            captureSignals {
              notability novelty outcome telling similarity recallIntent factShare routineShare
              decisions nextSteps milestones toolChanges turnsSince minutesSince createdToday
            }
          }
        }
      }
    }
  }
`);

/** Why the segments of a thread were closed, the latest first. */
export const CUTS = typed<graph.TimelineCutsQuery, graph.TimelineCutsQueryVariables>(/* GraphQL */ `
  query TimelineCuts($userId: String!, $threadId: ID!, $after: String) {
    user(userId: $userId) {
      id
      events(last: 100, before: $after, kinds: [SEGMENT_CLOSED], threadId: $threadId) {
        edges { node { number decision episode { id } } }
        pageInfo { hasPreviousPage startCursor }
      }
    }
  }
`);

export const COMPACT = typed<
  graph.CompactThreadMutation,
  graph.CompactThreadMutationVariables
>(/* GraphQL */ `
  mutation CompactThread($userId: String!, $threadId: ID!) {
    compact(userId: $userId, threadId: $threadId) { ... on Thread { __typename id } ...Failure }
  }
  ${FAILURE}`);

export const CLOSE = typed<
  graph.CloseThreadMutation,
  graph.CloseThreadMutationVariables
>(/* GraphQL */ `
  mutation CloseThread($userId: String!, $threadId: ID!) {
    closeThread(userId: $userId, threadId: $threadId) { ... on Thread { __typename id } ...Failure }
  }
  ${FAILURE}`);
