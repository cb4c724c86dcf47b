import { graphql } from './generated/gql.ts';
import type { ContextInput } from './generated/graphql.ts';
import type { Client } from './world.ts';

const CONTEXT = graphql(`
  query Context($input: ContextInput!) {
    context(input: $input) {
      __typename
      ... on ContextPayload {
        markdown
        tokens
        mode
        thread {
          id
        }
        continuity {
          line
          pause
        }
        related {
          linked
          thread {
            id
          }
          exchanges {
            question
            answer
          }
        }
        facts {
          key
          value
        }
        profile {
          version
        }
        hits {
          __typename
          rank
          ... on TurnHit {
            turn {
              text
            }
          }
          ... on EpisodeHit {
            episode {
              id
            }
          }
        }
        window {
          text
        }
        range {
          from
          to
          text
        }
        leftOut {
          exchanges
          summaries
          facts
          profile
          hits
          window
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

/** Returns the context for a message. @throws if the query is refused */
export async function contextOf(client: Client, input: ContextInput) {
  const { context } = await client.execute(CONTEXT, { input });
  if (context.__typename !== 'ContextPayload') throw new Error(JSON.stringify(context));
  return context;
}

/** Returns the result of a context query that may be refused. */
export const refusedContext = async (client: Client, input: ContextInput) =>
  (await client.execute(CONTEXT, { input })).context;
