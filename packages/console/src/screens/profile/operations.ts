import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

/** The events after which profiles and semantic memories may be others. */
export const PROFILE_CHANGES = [
  'PROFILE_REVISED',
  'SEMANTIC_MEMORY_FORMED',
  'SEMANTIC_MEMORY_REBUILT',
  'MEMORY_IMPORTED',
] as const;

export const VERSIONS = typed<
  graph.ProfileVersionsQuery,
  graph.ProfileVersionsQueryVariables
>(/* GraphQL */ `
  query ProfileVersions($userId: String!, $after: String) {
    user(userId: $userId) {
      id
      profileHistory(first: 50, after: $after) {
        edges {
          node {
            id version recordedAt generatedBy model stale
            prose communication technical workPattern personalContext
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const SOURCES = typed<
  graph.ProfileSourcesQuery,
  graph.ProfileSourcesQueryVariables
>(/* GraphQL */ `
  query ProfileSources($id: ID!) {
    node(id: $id) {
      ... on Profile {
        id
        sourceFacts { id statement active }
        sources { id summary startedAt endedAt episodeCount turnCount stale }
      }
    }
  }
`);

export const MEMORY = typed<
  graph.OneSemanticMemoryQuery,
  graph.OneSemanticMemoryQueryVariables
>(/* GraphQL */ `
  query OneSemanticMemory($id: ID!, $after: String) {
    node(id: $id) {
      ... on SemanticMemory {
        id
        episodes(first: 50, after: $after) {
          edges { node { id title summary startedAt } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export const PYRAMID = typed<graph.PyramidQuery, graph.PyramidQueryVariables>(/* GraphQL */ `
  query Pyramid($userId: String!) {
    user(userId: $userId) {
      id turnCount
      profile { id version }
      semanticMemories(first: 100) {
        edges { node { id episodeCount turnCount } }
        pageInfo { hasNextPage }
      }
    }
  }
`);

export const SYNTHESIZE = typed<
  graph.SynthesizeInConsoleMutation,
  graph.SynthesizeInConsoleMutationVariables
>(/* GraphQL */ `
  mutation SynthesizeInConsole($userId: String!) {
    synthesizeProfile(userId: $userId) { ... on Profile { __typename id version } ...Failure }
  }
  ${FAILURE}`);
