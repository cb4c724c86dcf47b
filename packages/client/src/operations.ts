import type { TypedDocument } from './documents.ts';
import type * as graph from './generated/graphql.ts';

/** The text of an operation with the types that the code generator has made from it. */
const typed = <Data, Variables>(text: string) => text as string & TypedDocument<Data, Variables>;

const FAILURE = /* GraphQL */ `
  fragment Failure on Error {
    __typename
    code
    message
    ... on InvalidInputError { issues { path message } }
    ... on ModelUnavailableError { retryAt }
  }
`;

const TURN = /* GraphQL */ `
  fragment Turn on Turn {
    id number role speaker text channel occurredAt
    thread { id title }
  }
`;

const FACT = /* GraphQL */ `
  fragment Fact on Fact {
    id category key value statement polarity scope active pinned importance confidence mentions origin
    validFrom validTo recordedAt updatedAt retractedAt
  }
`;

const HIT = /* GraphQL */ `
  fragment Hit on RecallHit {
    __typename kind rank score
    explain { bm25 bm25Rank similarity vectorRank fused kindWeight retrievability forgetting parts { name value } }
    ... on TurnHit { turn { ...Turn } before { ...Turn } after { ...Turn } }
    ... on EpisodeHit { title summary keyMoment episode { id kind startedAt endedAt } }
    ... on FactHit { fact { ...Fact } }
    ... on SemanticMemoryHit { summary semanticMemory { id startedAt endedAt } }
    ... on SkillHit { name description }
  }
`;

const EVENT = /* GraphQL */ `
  fragment Event on MemoryEvent {
    id number cursor kind at decision eventsErased
    turns { ...Turn }
    thread { id title state }
    fact { ...Fact }
    episode { id kind title summary }
    link { id verdict outcome }
  }
`;

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
  query Recall($input: RecallInput!) {
    recall(input: $input) {
      ... on RecallPayload {
        __typename markdown tokens asOf intent vectors
        range { text from to filters }
        leftOut { hits facts details }
        facts { ...Fact }
        hits { ...Hit }
      }
      ...Failure
    }
  }
  ${HIT}${TURN}${FACT}${FAILURE}`,
);

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
  ${HIT}${TURN}${FACT}${FAILURE}`,
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

export const PAST_EVENTS = typed<graph.PastEventsQuery, graph.PastEventsQueryVariables>(
  /* GraphQL */ `
  query PastEvents($userId: String!, $isNamed: Boolean!, $first: Int, $last: Int, $after: String) {
    user(userId: $userId) @include(if: $isNamed) { ...EventPage }
    viewer @skip(if: $isNamed) { ...EventPage }
  }
  fragment EventPage on User {
    events(first: $first, last: $last, after: $after) {
      edges { node { ...Event } }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${EVENT}${TURN}${FACT}`,
);

export const EVENTS = typed<graph.EventsSubscription, graph.EventsSubscriptionVariables>(
  /* GraphQL */ `
  subscription Events($userId: String, $after: String, $kinds: [EventKind!]) {
    memoryEvents(userId: $userId, after: $after, kinds: $kinds) { ...Event }
  }
  ${EVENT}${TURN}${FACT}`,
);

export const COMPACTIONS = typed<
  graph.CompactionsSubscription,
  graph.CompactionsSubscriptionVariables
>(
  /* GraphQL */ `
  subscription Compactions($userId: String, $threadId: ID) {
    compactions(userId: $userId, threadId: $threadId) {
      done turnsCollected summariesDone skillsFound
      thread { id title }
      episode { id kind title }
    }
  }`,
);

export const LINKING = typed<graph.LinkingSubscription, graph.LinkingSubscriptionVariables>(
  /* GraphQL */ `
  subscription Linking($userId: String) {
    linking(userId: $userId) {
      stage
      thread { id title }
      earlierThread { id title }
      algorithm { related score confidence }
      reasoner { related confidence }
      link { id verdict certainty fusedScore outcome }
      episode { id kind title }
      tuningRun { id kind reason }
    }
  }`,
);
