import { graphql } from '../generated/gql.ts';
import type { RememberInput } from '../generated/graphql.ts';
import type { Client } from '../world.ts';

export const REMEMBER = graphql(`
  mutation Remember($input: RememberInput!) {
    remember(input: $input) {
      __typename
      ... on RememberPayload {
        turns {
          status
          turn {
            id
            number
            text
            thread {
              id
              state
              turnCount
            }
          }
        }
      }
      ... on InvalidInputError {
        issues {
          path
          message
        }
      }
      ... on IdempotencyConflictError {
        path
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

/** Remembers turns and returns the stored ones. @throws if they are refused */
export async function say(client: Client, input: RememberInput) {
  const { remember } = await client.execute(REMEMBER, { input });
  if (remember.__typename !== 'RememberPayload') throw new Error(JSON.stringify(remember));
  return remember.turns.map(({ turn, status }) => {
    if (!turn) throw new Error(status);
    return { ...turn, status };
  });
}

/** Remembers one turn at a time of day on 2 March 2026, and returns the stored turn. */
export async function sayAt(
  client: Client,
  time: string,
  text: string,
  input: Partial<RememberInput> = {},
) {
  const occurredAt = time.includes('T') ? time : `2026-03-02T${time}:00Z`;
  const [turn] = await say(client, { channel: 'sms', turns: [{ text, occurredAt }], ...input });
  return turn as NonNullable<typeof turn>;
}

const TURNS = graphql(`
  query Turns {
    viewer {
      turnCount
      turns(first: 100) {
        edges {
          node {
            id
            number
            role
            speaker
            text
            channel
            occurredAt
            recordedAt
            toolCalls {
              name
              ok
              result
            }
            thread {
              id
            }
          }
        }
      }
    }
  }
`);

/** Returns all turns of the user, in the order they were received. */
export async function turnsOf(client: Client) {
  const { viewer } = await client.execute(TURNS);
  return (viewer?.turns.edges ?? []).map(({ node }) => node);
}
