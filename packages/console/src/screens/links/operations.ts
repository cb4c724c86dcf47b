import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

/** The events after which links may be others. */
export const LINK_CHANGES = [
  'LINK_DECIDED',
  'LINK_RATED',
  'CROSS_THREAD_CREATED',
  'CROSS_THREAD_EXTENDED',
  'CROSS_THREAD_MERGED',
  'CROSS_THREAD_REDUCED',
  'MEMORY_IMPORTED',
] as const;

const END = /* GraphQL */ `
  fragment LinkEnd on Thread { id title summary startedAt channels }
`;

export const LINKS = typed<graph.LinkListQuery, graph.LinkListQueryVariables>(/* GraphQL */ `
  query LinkList(
    $userId: String!, $after: String, $verdict: LinkVerdict, $certainty: LinkCertainty, $outcome: LinkOutcome,
    $from: DateTime, $to: DateTime
  ) {
    user(userId: $userId) {
      id
      links(
        first: 100, after: $after, verdict: $verdict, certainty: $certainty, outcome: $outcome, from: $from, to: $to
      ) {
        edges {
          node {
            id verdict certainty outcome joins fusedScore decidedAt
            thread { ...LinkEnd }
            earlierThread { ...LinkEnd }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${END}`);

export const LINK = typed<graph.OneLinkQuery, graph.OneLinkQueryVariables>(/* GraphQL */ `
  query OneLink($id: ID!) {
    node(id: $id) {
      ... on Link {
        id verdict certainty outcome joins fusedScore decidedAt ratedAt sign threshold agreement
        algorithmicScore algorithmicConfidence algorithmicRelated
        reasonerRelated reasonerConfidence reasoning keySignals model
        parts { keyword entity topic recency }
        weights { keyword entity topic recency }
        thread { ...LinkEnd }
        earlierThread { ...LinkEnd }
      }
    }
  }
  ${END}`);

export const RATE = typed<graph.RateOneLinkMutation, graph.RateOneLinkMutationVariables>(
  /* GraphQL */ `
  mutation RateOneLink($userId: String!, $linkId: ID!, $outcome: LinkOutcome!) {
    rateLink(userId: $userId, linkId: $linkId, outcome: $outcome) {
      ... on Link { __typename id }
      ...Failure
    }
  }
  ${FAILURE}`,
);
