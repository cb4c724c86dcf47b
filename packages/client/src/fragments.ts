export const FAILURE = /* GraphQL */ `
  fragment Failure on Error {
    __typename
    code
    message
    ... on InvalidInputError { issues { path message } }
    ... on ModelUnavailableError { retryAt }
  }
`;

export const TURN = /* GraphQL */ `
  fragment Turn on Turn {
    id number role speaker text channel occurredAt
    thread { id title }
  }
`;

export const FACT = /* GraphQL */ `
  fragment Fact on Fact {
    id category key value statement polarity scope active pinned importance confidence mentions origin
    validFrom validTo recordedAt updatedAt retractedAt
  }
`;

export const EXPLANATION = /* GraphQL */ `
  fragment Explanation on RecallExplanation {
    bm25 bm25Rank similarity vectorRank fused kindWeight retrievability forgetting parts { name value }
  }
`;

export const HIT = /* GraphQL */ `
  fragment Hit on RecallHit {
    __typename kind rank score
    explain { ...Explanation }
    ... on TurnHit { turn { ...Turn } before { ...Turn } after { ...Turn } }
    ... on EpisodeHit { title summary keyMoment episode { id kind startedAt endedAt } }
    ... on FactHit { fact { ...Fact } }
    ... on SemanticMemoryHit { summary semanticMemory { id startedAt endedAt } }
    ... on SkillHit { name description skill { id } }
  }
`;
