import { typed } from '@mnemograph/client';
import type * as graph from '../generated/graphql.ts';

export const SESSION = typed<graph.SessionQuery, graph.SessionQueryVariables>(/* GraphQL */ `
  query Session { session { kind userId access keyName expiresAt } }
`);

export const USERS = typed<graph.UsersQuery, graph.UsersQueryVariables>(/* GraphQL */ `
  query Users($search: String, $after: String) {
    users(first: 50, after: $after, search: $search) {
      edges { node { id userId turnCount } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const SETTINGS = typed<graph.SettingsQuery, graph.SettingsQueryVariables>(/* GraphQL */ `
  query Settings($userId: String!) {
    user(userId: $userId) { id timeZone }
  }
`);

/** Events that no filter keeps out. */
export const ALL_EVENTS = { threadId: null, kinds: null, from: null, to: null };

export const PAST_EVENTS = typed<
  graph.PastEventsQuery,
  graph.PastEventsQueryVariables
>(/* GraphQL */ `
  query PastEvents(
    $userId: String!, $after: String, $threadId: ID, $kinds: [EventKind!], $from: DateTime, $to: DateTime
  ) {
    user(userId: $userId) {
      id
      events(last: 50, before: $after, threadId: $threadId, kinds: $kinds, from: $from, to: $to) {
        edges {
          node {
            id number cursor kind at decision eventsErased
            thread { id title }
            fact { id statement }
            episode { id kind title }
            link { id verdict }
          }
        }
        pageInfo { hasPreviousPage startCursor }
      }
    }
  }
`);
