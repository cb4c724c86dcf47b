import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

export const CANDIDATES = typed<
  graph.ForgetCandidatesQuery,
  graph.ForgetCandidatesQueryVariables
>(/* GraphQL */ `
  query ForgetCandidates($userId: String!, $words: String!) {
    user(userId: $userId) {
      id
      threads(first: 10, words: $words) { edges { node { id title summary lastActivityAt } } }
      facts(first: 10, search: $words, state: ALL) { edges { node { id statement recordedAt } } }
    }
  }
`);

export const FORGET = typed<
  graph.ForgetInConsoleMutation,
  graph.ForgetInConsoleMutationVariables
>(/* GraphQL */ `
  mutation ForgetInConsole($userId: String, $input: ForgetInput!, $preview: Boolean!) {
    forget(userId: $userId, input: $input, preview: $preview) {
      ... on ForgottenCounts {
        __typename isPreview
        threads turns episodes facts semanticMemories profiles links reviews skills vectors postings
        items { id kind line at }
      }
      ...Failure
    }
  }
  ${FAILURE}`);

export const EXPORT = typed<
  graph.ExportInConsoleMutation,
  graph.ExportInConsoleMutationVariables
>(/* GraphQL */ `
  mutation ExportInConsole($userId: String!) {
    exportMemory(userId: $userId) { ... on ExportPayload { __typename url expiresAt } ...Failure }
  }
  ${FAILURE}`);
