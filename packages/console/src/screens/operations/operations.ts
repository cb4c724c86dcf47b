import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

export const DEPLOYMENT = typed<
  graph.DeploymentQuery,
  graph.DeploymentQueryVariables
>(/* GraphQL */ `
  query Deployment {
    deployment { version database users turns backlog deadJobs embedder reasoner }
    embedding { name dimension turnsPending usersPending }
  }
`);

export const JOBS = typed<graph.JobListQuery, graph.JobListQueryVariables>(/* GraphQL */ `
  query JobList($userId: String!, $after: String) {
    user(userId: $userId) {
      id
      jobs(first: 100, after: $after) {
        edges { node { id step state attempts runAt deadAt lastError } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export const RETRY = typed<
  graph.RetryInConsoleMutation,
  graph.RetryInConsoleMutationVariables
>(/* GraphQL */ `
  mutation RetryInConsole($userId: String!, $jobId: ID!) {
    retryJob(userId: $userId, jobId: $jobId) { ... on Job { __typename id } ...Failure }
  }
  ${FAILURE}`);

export const USAGE = typed<graph.UsageQuery, graph.UsageQueryVariables>(/* GraphQL */ `
  query Usage($userId: String!, $days: Int!) {
    user(userId: $userId) {
      id
      usage(days: $days) { day step model calls promptTokens completionTokens cachedTokens }
    }
  }
`);

export const IN_FORCE = typed<graph.InForceQuery, graph.InForceQueryVariables>(/* GraphQL */ `
  query InForce($userId: String!) {
    user(userId: $userId) {
      id timeZone inactivityTimeoutMinutes turnCount
      vectorIndex { embedder embedded pending skipped total share }
      captureSettings {
        everything noveltyMin maxPerDay mergeWindowHours cooldownMinutes cooldownTurns windowTurns
      }
      channelSettings { name kind inactivityTimeoutMinutes }
    }
  }
`);
