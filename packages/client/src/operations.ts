import { typed } from './documents.ts';
import { EXPLANATION, FACT, FAILURE, HIT, TURN } from './fragments.ts';
import type * as graph from './generated/graphql.ts';

export const REMEMBER = typed<graph.RememberMutation, graph.RememberMutationVariables>(
  /* GraphQL */ `
  mutation Remember($input: RememberInput!) {
    remember(input: $input) {
      ... on RememberPayload { __typename turns { status turn { ...Turn } } }
      ...Failure
    }
  }
  ${TURN}${FAILURE}`,
);

export const IMPORT_CONVERSATION = typed<
  graph.ImportConversationMutation,
  graph.ImportConversationMutationVariables
>(
  /* GraphQL */ `
  mutation ImportConversation($input: ImportConversationInput!) {
    importConversation(input: $input) {
      ... on ImportPayload { __typename stored alreadyStored forgotten }
      ...Failure
    }
  }
  ${FAILURE}`,
);

export const RECALL = typed<graph.RecallQuery, graph.RecallQueryVariables>(
  /* GraphQL */ `
  query Recall($input: RecallInput!, $stages: Boolean!) {
    recall(input: $input) {
      ... on RecallPayload {
        __typename markdown tokens asOf intent vectors
        range { text from to filters }
        leftOut { hits facts details }
        stages @include(if: $stages) { name ms count candidates(first: 30) { kind id rank score kept reason } }
        facts { ...Fact }
        hits { ...Hit }
      }
      ...Failure
    }
  }
  ${HIT}${EXPLANATION}${TURN}${FACT}${FAILURE}`,
);

export const EXPLAIN_MISS = typed<graph.ExplainMissQuery, graph.ExplainMissQueryVariables>(
  /* GraphQL */ `
  query ExplainMiss($id: ID!, $input: RecallInput!) {
    explainMiss(id: $id, input: $input) {
      ... on RecallMiss {
        __typename isHit reason stage rank candidates score lowestScore
        explain { ...Explanation }
      }
      ...Failure
    }
  }
  ${EXPLANATION}${FAILURE}`,
);

export const ACTIVITY = typed<graph.ActivityQuery, graph.ActivityQueryVariables>(/* GraphQL */ `
  query Activity(
    $userId: String! $isNamed: Boolean!
    $from: DateTime! $to: DateTime $step: ActivityStep $kinds: [ActivityKind!]
  ) {
    user(userId: $userId) @include(if: $isNamed) { ...Counted }
    viewer @skip(if: $isNamed) { ...Counted }
    session @skip(if: $isNamed) { kind }
  }
  fragment Counted on User {
    activity(from: $from, to: $to, step: $step, kinds: $kinds) { kind event at count }
  }`);

export const CONTEXT = typed<graph.ContextQuery, graph.ContextQueryVariables>(
  /* GraphQL */ `
  query Context($input: ContextInput!) {
    context(input: $input) {
      ... on ContextPayload {
        __typename markdown tokens asOf mode intent vectors
        thread { id title state }
        continuity { line pause }
        sections { name tokens }
        leftOut { window facts hits summaries exchanges profile }
        facts { ...Fact }
        hits { ...Hit }
      }
      ...Failure
    }
  }
  ${HIT}${EXPLANATION}${TURN}${FACT}${FAILURE}`,
);

export const FORGET = typed<graph.ForgetMutation, graph.ForgetMutationVariables>(
  /* GraphQL */ `
  mutation Forget($userId: String, $input: ForgetInput!, $preview: Boolean) {
    forget(userId: $userId, input: $input, preview: $preview) {
      ... on ForgottenCounts {
        __typename isPreview turns threads episodes facts links profiles reviews semanticMemories skills postings vectors
        items { kind id at line }
      }
      ...Failure
    }
  }
  ${FAILURE}`,
);

export const EXPORT = typed<graph.ExportMutation, graph.ExportMutationVariables>(
  /* GraphQL */ `
  mutation Export($userId: String) {
    exportMemory(userId: $userId) {
      ... on ExportPayload { __typename url }
      ...Failure
    }
  }
  ${FAILURE}`,
);

export const FACTS = typed<graph.FactsQuery, graph.FactsQueryVariables>(
  /* GraphQL */ `
  query Facts(
    $userId: String! $isNamed: Boolean! $after: String
    $category: FactCategory $key: String $at: DateTime $knownAt: DateTime
  ) {
    user(userId: $userId) @include(if: $isNamed) { ...FactPage }
    viewer @skip(if: $isNamed) { ...FactPage }
    session @skip(if: $isNamed) { kind }
  }
  fragment FactPage on User {
    facts(first: 100, after: $after, category: $category, key: $key, at: $at, knownAt: $knownAt) {
      edges { node { ...Fact } }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${FACT}`,
);

export const GET_FACT = typed<graph.GetFactQuery, graph.GetFactQueryVariables>(
  /* GraphQL */ `
  query GetFact($userId: String, $id: ID!) {
    fact(userId: $userId, id: $id) { ...Fact history { ...Fact } turns { ...Turn } }
  }
  ${FACT}${TURN}`,
);

export const RECORD_FACT = typed<graph.RecordFactMutation, graph.RecordFactMutationVariables>(
  /* GraphQL */ `
  mutation RecordFact($input: RecordFactInput!) {
    result: recordFact(input: $input) {
      ... on Fact { __typename ...Fact }
      ...Failure
    }
  }
  ${FACT}${FAILURE}`,
);

export const RETRACT_FACT = typed<graph.RetractFactMutation, graph.RetractFactMutationVariables>(
  /* GraphQL */ `
  mutation RetractFact($userId: String, $factId: ID!) {
    result: retractFact(userId: $userId, factId: $factId) {
      ... on Fact { __typename ...Fact }
      ...Failure
    }
  }
  ${FACT}${FAILURE}`,
);

export const RESTORE_FACT = typed<graph.RestoreFactMutation, graph.RestoreFactMutationVariables>(
  /* GraphQL */ `
  mutation RestoreFact($userId: String, $factId: ID!) {
    result: restoreFact(userId: $userId, factId: $factId) {
      ... on Fact { __typename ...Fact }
      ...Failure
    }
  }
  ${FACT}${FAILURE}`,
);

export const PIN_FACT = typed<graph.PinFactMutation, graph.PinFactMutationVariables>(
  /* GraphQL */ `
  mutation PinFact($userId: String, $factId: ID!, $pinned: Boolean) {
    result: pinFact(userId: $userId, factId: $factId, pinned: $pinned) {
      ... on Fact { __typename ...Fact }
      ...Failure
    }
  }
  ${FACT}${FAILURE}`,
);
