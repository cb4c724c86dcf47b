import { typed } from './documents.ts';
import { FACT, TURN } from './fragments.ts';
import type * as graph from './generated/graphql.ts';

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

export const PLACE = typed<graph.PlaceQuery, graph.PlaceQueryVariables>(/* GraphQL */ `
  query Place($userId: String!, $isNamed: Boolean!) {
    user(userId: $userId) @include(if: $isNamed) { ...NewestEvent }
    viewer @skip(if: $isNamed) { ...NewestEvent }
    session @skip(if: $isNamed) { kind }
  }
  fragment NewestEvent on User { events(last: 1) { edges { node { cursor } } pageInfo { hasNextPage } } }`);

export const EVENTS = typed<graph.EventsSubscription, graph.EventsSubscriptionVariables>(
  /* GraphQL */ `
  subscription Events($userId: String, $after: String, $fromStart: Boolean, $kinds: [EventKind!]) {
    memoryEvents(userId: $userId, after: $after, fromStart: $fromStart, kinds: $kinds) { ...Event }
  }
  ${EVENT}${TURN}${FACT}`,
);

export const COMPACTIONS = typed<
  graph.CompactionsSubscription,
  graph.CompactionsSubscriptionVariables
>(
  /* GraphQL */ `
  subscription Compactions($userId: String, $after: String, $fromStart: Boolean, $threadId: ID) {
    compactions(userId: $userId, after: $after, fromStart: $fromStart, threadId: $threadId) {
      cursor done turnsCollected summariesDone skillsFound
      thread { id title }
      episode { id kind title }
    }
  }`,
);

export const LINKING = typed<graph.LinkingSubscription, graph.LinkingSubscriptionVariables>(
  /* GraphQL */ `
  subscription Linking($userId: String, $after: String, $fromStart: Boolean) {
    linking(userId: $userId, after: $after, fromStart: $fromStart) {
      cursor stage
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
