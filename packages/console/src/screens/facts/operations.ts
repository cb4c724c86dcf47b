import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

/** The events after which facts may be others. */
export const FACT_CHANGES = [
  'FACT_RECORDED',
  'FACT_SUPERSEDED',
  'FACT_RETRACTED',
  'FACT_RESTORED',
  'MEMORY_IMPORTED',
] as const;

export const FACTS = typed<graph.FactListQuery, graph.FactListQueryVariables>(/* GraphQL */ `
  query FactList(
    $userId: String!, $after: String, $at: DateTime, $knownAt: DateTime, $state: FactState, $search: String, $category: FactCategory
  ) {
    user(userId: $userId) {
      id
      facts(
        first: 50, after: $after, at: $at, knownAt: $knownAt, state: $state, search: $search, category: $category
      ) {
        edges {
          node {
            id category key statement polarity active pinned importance confidence mentions origin
            validFrom validTo recordedAt retractedAt
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** The months in which facts became true and threads began: the first of them is where the sliders begin. */
export const MONTHS = typed<graph.FactMonthsQuery, graph.FactMonthsQueryVariables>(/* GraphQL */ `
  query FactMonths($userId: String!, $from: DateTime!, $to: DateTime!) {
    user(userId: $userId) {
      id
      activity(from: $from, to: $to, step: MONTH, kinds: [FACT, THREAD]) { at }
    }
  }
`);

export const FACT = typed<graph.OneFactQuery, graph.OneFactQueryVariables>(/* GraphQL */ `
  query OneFact($userId: String!, $id: ID!) {
    fact(userId: $userId, id: $id) {
      id category key statement value polarity scope active pinned importance confidence mentions origin model
      validFrom validTo recordedAt retractedAt lastAccessedAt
      history {
        id value statement polarity active retractedAt
        versions { number change validFrom validTo recordedAt supersededAt }
      }
      turns { id role speaker text channel occurredAt thread { id } }
    }
  }
`);

export const PIN = typed<
  graph.PinOneFactMutation,
  graph.PinOneFactMutationVariables
>(/* GraphQL */ `
  mutation PinOneFact($userId: String!, $factId: ID!, $pinned: Boolean!) {
    pinFact(userId: $userId, factId: $factId, pinned: $pinned) {
      ... on Fact { __typename id }
      ...Failure
    }
  }
  ${FAILURE}`);

export const RETRACT = typed<
  graph.RetractOneFactMutation,
  graph.RetractOneFactMutationVariables
>(/* GraphQL */ `
  mutation RetractOneFact($userId: String!, $factId: ID!) {
    retractFact(userId: $userId, factId: $factId) { ... on Fact { __typename id } ...Failure }
  }
  ${FAILURE}`);

export const RESTORE = typed<
  graph.RestoreOneFactMutation,
  graph.RestoreOneFactMutationVariables
>(/* GraphQL */ `
  mutation RestoreOneFact($userId: String!, $factId: ID!) {
    restoreFact(userId: $userId, factId: $factId) { ... on Fact { __typename id } ...Failure }
  }
  ${FAILURE}`);

export const RECORD = typed<
  graph.RecordOneFactMutation,
  graph.RecordOneFactMutationVariables
>(/* GraphQL */ `
  mutation RecordOneFact($input: RecordFactInput!) {
    recordFact(input: $input) { ... on Fact { __typename id } ...Failure }
  }
  ${FAILURE}`);
