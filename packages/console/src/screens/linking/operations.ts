import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

const SETTING = /* GraphQL */ `
  fragment Setting on LinkingSetting {
    threshold promptSignals
    weights { keyword entity topic recency }
  }
`;

const METRICS = /* GraphQL */ `
  fragment Metrics on LinkingMetrics {
    accuracy precision recall f1 falsePositiveRate falseNegativeRate
  }
`;

export const LINKING = typed<graph.LinkingQuery, graph.LinkingQueryVariables>(/* GraphQL */ `
  query Linking($userId: String!) {
    user(userId: $userId) {
      id
      linkingSetting { ...Setting }
      tuningRuns {
        id number kind scope kept reason at decisions
        previous { ...Setting }
        next { ...Setting }
        before { ...Metrics }
        after { ...Metrics }
        thresholds { threshold falsePositiveRate falseNegativeRate }
        disagreements { count algorithmRight reasonerRight }
      }
    }
  }
  ${SETTING}
  ${METRICS}`);

export const TUNE = typed<
  graph.TuneInConsoleMutation,
  graph.TuneInConsoleMutationVariables
>(/* GraphQL */ `
  mutation TuneInConsole($userId: String!) {
    tuneLinking(userId: $userId) { ... on TuningRun { __typename id number } ...Failure }
  }
  ${FAILURE}`);

export const ROLL_BACK = typed<
  graph.RollBackInConsoleMutation,
  graph.RollBackInConsoleMutationVariables
>(/* GraphQL */ `
  mutation RollBackInConsole($userId: String!, $scope: TuningScope!, $tuningRunId: ID!) {
    rollBackLinking(userId: $userId, scope: $scope, tuningRunId: $tuningRunId) {
      ... on TuningRun { __typename id number }
      ...Failure
    }
  }
  ${FAILURE}`);
