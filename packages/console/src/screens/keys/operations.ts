import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

export const KEYS = typed<graph.KeyListQuery, graph.KeyListQueryVariables>(/* GraphQL */ `
  query KeyList {
    apiKeys { id name access userId createdAt previousUntil revokedAt lastUsedAt }
  }
`);

export const CREATE = typed<
  graph.CreateKeyMutation,
  graph.CreateKeyMutationVariables
>(/* GraphQL */ `
  mutation CreateKey($name: String!, $access: ApiKeyAccess!, $userId: String) {
    createApiKey(name: $name, access: $access, userId: $userId) {
      ... on CreatedApiKey { __typename secret key { id name } }
      ...Failure
    }
  }
  ${FAILURE}`);

export const ROTATE = typed<
  graph.RotateKeyMutation,
  graph.RotateKeyMutationVariables
>(/* GraphQL */ `
  mutation RotateKey($id: ID!, $graceMinutes: Int!) {
    rotateApiKey(id: $id, graceMinutes: $graceMinutes) {
      ... on CreatedApiKey { __typename secret key { id name } }
      ...Failure
    }
  }
  ${FAILURE}`);

export const REVOKE = typed<
  graph.RevokeKeyMutation,
  graph.RevokeKeyMutationVariables
>(/* GraphQL */ `
  mutation RevokeKey($id: ID!) {
    revokeApiKey(id: $id) { ... on ApiKey { __typename id } ...Failure }
  }
  ${FAILURE}`);
