import { typed } from '@mnemograph/client';
import { FAILURE } from '../../app/typed.ts';
import type * as graph from '../../generated/graphql.ts';

const EXPLANATION = /* GraphQL */ `
  fragment Explained on RecallExplanation {
    parts { name value }
    fused forgetting kindWeight bm25Rank vectorRank similarity retrievability
  }
`;

const TURN = /* GraphQL */ `
  fragment RecalledTurn on Turn { id role speaker text channel occurredAt thread { id } }
`;

export const RECALL = typed<
  graph.RecallInConsoleQuery,
  graph.RecallInConsoleQueryVariables
>(/* GraphQL */ `
  query RecallInConsole($input: RecallInput!) {
    recall(input: $input) {
      ... on RecallPayload {
        __typename intent vectors tokens asOf
        range { text from to filters }
        leftOut { hits facts }
        facts { id statement }
        stages {
          name ms count
          candidates(first: 30) { id kind rank score kept reason }
        }
        hits {
          __typename kind rank score
          explain { ...Explained }
          ... on TurnHit { turn { ...RecalledTurn } }
          ... on EpisodeHit { episode { id startedAt } title summary keyMoment }
          ... on FactHit { fact { id statement validFrom } }
          ... on SemanticMemoryHit { semanticMemory { id } summary }
          ... on SkillHit { name description }
        }
      }
      ...Failure
    }
  }
  ${EXPLANATION}
  ${TURN}
  ${FAILURE}`);

export const PROMPT = typed<
  graph.PromptInConsoleQuery,
  graph.PromptInConsoleQueryVariables
>(/* GraphQL */ `
  query PromptInConsole($input: ContextInput!) {
    context(input: $input) {
      ... on ContextPayload {
        __typename markdown tokens
        sections { name tokens }
        leftOut { exchanges facts hits profile summaries window }
      }
      ...Failure
    }
  }
  ${FAILURE}`);

export const MISS = typed<
  graph.MissInConsoleQuery,
  graph.MissInConsoleQueryVariables
>(/* GraphQL */ `
  query MissInConsole($input: RecallInput!, $id: ID!) {
    explainMiss(input: $input, id: $id) {
      ... on RecallMiss {
        __typename isHit reason stage rank candidates score lowestScore
        explain { ...Explained }
      }
      ...Failure
    }
  }
  ${EXPLANATION}
  ${FAILURE}`);

export const TURNS_LIKE = typed<graph.TurnsLikeQuery, graph.TurnsLikeQueryVariables>(/* GraphQL */ `
  query TurnsLike($input: RecallInput!) {
    recall(input: $input) {
      ... on RecallPayload { __typename hits { ... on TurnHit { turn { ...RecalledTurn } } } }
      ...Failure
    }
  }
  ${TURN}
  ${FAILURE}`);

export const LEFT_OUT = typed<graph.LeftOutQuery, graph.LeftOutQueryVariables>(/* GraphQL */ `
  query LeftOut($ids: [ID!]!) {
    nodes(ids: $ids) {
      __typename id
      ... on Turn { text }
      ... on Fact { statement }
      ... on Episode { title summary }
      ... on SemanticMemory { summary }
      ... on Skill { name description }
    }
  }
`);
