import { typed } from '@mnemograph/client';
import type * as graph from '../../generated/graphql.ts';

export const ACTIVITY = typed<
  graph.LiveActivityQuery,
  graph.LiveActivityQueryVariables
>(/* GraphQL */ `
  query LiveActivity($userId: String!, $from: DateTime!, $to: DateTime!) {
    user(userId: $userId) {
      id
      activity(from: $from, to: $to, step: MINUTE, kinds: [EVENT]) { at event count }
    }
  }
`);

export const BACKLOG = typed<graph.BacklogQuery, graph.BacklogQueryVariables>(/* GraphQL */ `
  query Backlog($userId: String!) {
    user(userId: $userId) {
      id
      backlog { turnsToIndex turnsToEmbed turnsToSegment turnsToCapture threadsToCompact }
    }
  }
`);
