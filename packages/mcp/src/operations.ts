import type { TypedDocument } from '@mnemograph/client';
import type * as graph from './generated/graphql.ts';

/** The text of an operation with the types that the code generator has made from it. */
export type Operation<Data, Variables> = string & TypedDocument<Data, Variables>;

const typed = <Data, Variables>(text: string) => text as Operation<Data, Variables>;

const FAILURE = /* GraphQL */ `
  fragment Failure on Error { __typename code message ... on InvalidInputError { issues { path message } } }
`;
const TURN = /* GraphQL */ `
  fragment Turn on Turn { id number role speaker text channel occurredAt }
`;
const FACT = /* GraphQL */ `
  fragment Fact on Fact { id category key polarity statement validFrom validTo recordedAt retractedAt pinned }
`;
const EPISODE = /* GraphQL */ `
  fragment Episode on Episode { id kind title summary startedAt endedAt }
`;
/** The time zone in which days are meant. */
const ZONED = /* GraphQL */ `
  fragment Zone on Query {
    user(userId: $owner) @include(if: $isNamed) { timeZone }
    viewer @skip(if: $isNamed) { timeZone }
  }
`;

export const ZONE = typed<graph.ZoneOfQuery, graph.ZoneOfQueryVariables>(
  /* GraphQL */ `query ZoneOf($owner: String!, $isNamed: Boolean!) { ...Zone } ${ZONED}`,
);

export const CONTEXT = typed<graph.ContextQuery, graph.ContextQueryVariables>(/* GraphQL */ `
  query Context($input: ContextInput!) {
    context(input: $input) {
      ... on ContextPayload {
        __typename markdown tokens
        thread { id }
        leftOut { window facts hits summaries exchanges }
      }
      ...Failure
    }
  }
  ${FAILURE}`);

export const RECALL = typed<graph.RecallQuery, graph.RecallQueryVariables>(/* GraphQL */ `
  query Recall($input: RecallInput!, $owner: String!, $isNamed: Boolean!) {
    ...Zone
    recall(input: $input) {
      ... on RecallPayload {
        __typename
        leftOut { hits facts }
        facts { ...Fact }
        hits {
          __typename kind score
          explain { bm25Rank vectorRank retrievability }
          ... on TurnHit { turn { ...Turn } }
          ... on EpisodeHit { episode { ...Episode } title summary }
          ... on FactHit { fact { ...Fact } }
          ... on SemanticMemoryHit { semanticMemory { id endedAt } summary }
          ... on SkillHit { name description }
        }
      }
      ...Failure
    }
  }
  ${ZONED}${TURN}${FACT}${EPISODE}${FAILURE}`);

/** Each field finds ids of its own type only, and only those of the user. */
export const OPEN = typed<graph.OpenQuery, graph.OpenQueryVariables>(/* GraphQL */ `
  query Open($id: ID!, $userId: String, $owner: String!, $isNamed: Boolean!) {
    ...Zone
    node(id: $id) { __typename ... on Turn { ...Turn thread { id userId } } }
    fact(id: $id, userId: $userId) {
      ...Fact
      history { ...Fact }
      turns { ...Turn }
    }
    episode(id: $id, userId: $userId) { ...Episode turns { ...Turn } }
    thread(id: $id, userId: $userId) { id title summary state channels turnCount startedAt lastActivityAt }
  }
  ${ZONED}${TURN}${FACT}${EPISODE}`);

export const THREAD_TURNS = typed<graph.ThreadTurnsQuery, graph.ThreadTurnsQueryVariables>(
  /* GraphQL */ `
  query ThreadTurns(
    $id: ID!, $userId: String, $first: Int, $last: Int, $fromNumber: Int
    $owner: String!, $isNamed: Boolean!
  ) {
    ...Zone
    thread(id: $id, userId: $userId) {
      title
      turns(first: $first, last: $last, fromNumber: $fromNumber) {
        edges { node { ...Turn } }
      }
    }
  }
  ${ZONED}${TURN}`,
);

export const FACTS = typed<graph.FactsQuery, graph.FactsQueryVariables>(/* GraphQL */ `
  query Facts(
    $userId: String! $isNamed: Boolean! $first: Int!
    $category: FactCategory $key: String $at: DateTime $knownAt: DateTime
  ) {
    user(userId: $userId) @include(if: $isNamed) { ...FactPage }
    viewer @skip(if: $isNamed) { ...FactPage }
  }
  fragment FactPage on User {
    timeZone
    facts(first: $first, category: $category, key: $key, at: $at, knownAt: $knownAt) {
      edges { node { ...Fact } }
      pageInfo { hasNextPage }
    }
  }
  ${FACT}`);

export const PROFILE = typed<graph.ProfileQuery, graph.ProfileQueryVariables>(/* GraphQL */ `
  query Profile($userId: String!, $isNamed: Boolean!) {
    user(userId: $userId) @include(if: $isNamed) { profile { prose } }
    viewer @skip(if: $isNamed) { profile { prose } }
  }`);

export const THREADS = typed<graph.ThreadsQuery, graph.ThreadsQueryVariables>(/* GraphQL */ `
  query Threads($userId: String!, $isNamed: Boolean!, $first: Int!) {
    user(userId: $userId) @include(if: $isNamed) { ...ThreadPage }
    viewer @skip(if: $isNamed) { ...ThreadPage }
  }
  fragment ThreadPage on User { timeZone threads(first: $first) { edges { node { id title lastActivityAt } } } }`);

/** What happens to a memory, for telling which resources change by it. */
export const CHANGES = typed<graph.ChangesSubscription, graph.ChangesSubscriptionVariables>(
  /* GraphQL */ `
  subscription Changes($userId: String, $kinds: [EventKind!]) {
    memoryEvents(userId: $userId, kinds: $kinds) { kind thread { id } }
  }`,
);

export const RECENT = typed<graph.RecentQuery, graph.RecentQueryVariables>(/* GraphQL */ `
  query Recent($userId: String) {
    recentMemories(userId: $userId, days: 7, first: 20) {
      ... on RecentMemoriesPayload { __typename markdown }
      ...Failure
    }
  }
  ${FAILURE}`);

export const REMEMBER = typed<graph.RememberMutation, graph.RememberMutationVariables>(
  /* GraphQL */ `
  mutation Remember($input: RememberInput!) {
    remember(input: $input) {
      ... on RememberPayload { __typename turns { status turn { id thread { id } } } }
      ...Failure
    }
  }
  ${FAILURE}`,
);

const CORRECTED = /* GraphQL */ `
  fragment Corrected on Fact { __typename ...Fact history { ...Fact supersededBy { id } } }
`;

export const RECORD_FACT = typed<graph.RecordFactMutation, graph.RecordFactMutationVariables>(
  /* GraphQL */ `
  mutation RecordFact($input: RecordFactInput!) {
    result: recordFact(input: $input) { ... on Fact { ...Corrected } ...Failure }
  }
  ${CORRECTED}${FACT}${FAILURE}`,
);

export const RETRACT_FACT = typed<graph.RetractFactMutation, graph.RetractFactMutationVariables>(
  /* GraphQL */ `
  mutation RetractFact($userId: String, $id: ID!) {
    result: retractFact(userId: $userId, factId: $id) { ... on Fact { ...Corrected } ...Failure }
  }
  ${CORRECTED}${FACT}${FAILURE}`,
);

export const RESTORE_FACT = typed<graph.RestoreFactMutation, graph.RestoreFactMutationVariables>(
  /* GraphQL */ `
  mutation RestoreFact($userId: String, $id: ID!) {
    result: restoreFact(userId: $userId, factId: $id) { ... on Fact { ...Corrected } ...Failure }
  }
  ${CORRECTED}${FACT}${FAILURE}`,
);

export const PIN_FACT = typed<graph.PinFactMutation, graph.PinFactMutationVariables>(
  /* GraphQL */ `
  mutation PinFact($userId: String, $id: ID!, $pinned: Boolean!) {
    result: pinFact(userId: $userId, factId: $id, pinned: $pinned) { ... on Fact { ...Corrected } ...Failure }
  }
  ${CORRECTED}${FACT}${FAILURE}`,
);

export const FORGET = typed<graph.ForgetMutation, graph.ForgetMutationVariables>(/* GraphQL */ `
  mutation Forget($userId: String, $input: ForgetInput!, $preview: Boolean!) {
    forget(userId: $userId, input: $input, preview: $preview) {
      ... on ForgottenCounts {
        __typename turns threads episodes facts links semanticMemories skills
        items { kind id line at }
      }
      ...Failure
    }
  }
  ${FAILURE}`);

/** Mutations that do no more when they are sent twice: turns have idempotency keys. */
export const REPEATABLE: ReadonlySet<string> = new Set([
  REMEMBER,
  RETRACT_FACT,
  RESTORE_FACT,
  PIN_FACT,
]);
