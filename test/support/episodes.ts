import { graphql } from './generated/gql.ts';
import type { Client } from './world.ts';

const MEMORY = graphql(`
  query Episodes {
    viewer {
      window {
        text
      }
      backlog {
        turnsToIndex
        turnsToEmbed
        turnsToSegment
        turnsToCapture
        threadsToCompact
      }
      skills {
        name
        description
        generatedBy
        evidenceTurns
        useCount
      }
      threads(first: 5) {
        edges {
          node {
            id
            state
            turnCount
            compactedThrough
            summary
            window {
              number
            }
            primaryEpisode {
              id
              kind
              title
              summary
              topic
              micro
              meso
              macro
              compactedAt
              generatedBy
              model
              firstTurn
              lastTurn
              startedAt
              recordedAt
              sentence
              skills {
                name
                description
                evidenceTurns
              }
              segments(first: 20) {
                edges {
                  node {
                    id
                  }
                }
              }
            }
            segments(first: 20) {
              edges {
                node {
                  id
                  kind
                  firstTurn
                  lastTurn
                  startedAt
                  endedAt
                  durationSeconds
                  date
                  week
                  year
                  partOfDay
                  sentence
                  capture
                  captureReason
                  captureSignals {
                    notability
                    outcome
                    novelty
                    similarity
                    decisions
                    toolResults
                    toolChanges
                    recallIntent
                    turnsSince
                    createdToday
                  }
                  mergedInto {
                    id
                  }
                  revisions {
                    number
                    summary
                  }
                  title
                  summary
                  micro
                  surprise
                  keyMoment
                  stability
                  difficulty
                  lastReviewedAt
                  recordedAt
                  generatedBy
                  parent {
                    id
                  }
                  turns {
                    text
                  }
                }
              }
            }
          }
        }
      }
      events(first: 100) {
        edges {
          node {
            kind
            decision
            episode {
              id
            }
          }
        }
      }
      jobs(first: 20) {
        edges {
          node {
            step
            state
            lastError
          }
        }
      }
    }
  }
`);

export const CLOSE = graphql(`
  mutation CloseThread($threadId: ID!) {
    closeThread(threadId: $threadId) {
      __typename
    }
  }
`);

export const CONFIGURE_CAPTURE = graphql(`
  mutation ConfigureCapture($capture: CaptureSettingsInput, $timeZone: String) {
    configureUser(capture: $capture, timeZone: $timeZone) {
      __typename
      ... on User {
        captureSettings {
          everything
          cooldownTurns
          cooldownMinutes
          maxPerDay
          noveltyMin
          mergeWindowHours
          windowTurns
        }
      }
      ... on InvalidInputError {
        issues {
          path
        }
      }
    }
  }
`);

export const FORGET_MEMORY = graphql(`
  mutation ForgetMemory($input: ForgetInput!) {
    forget(input: $input) {
      __typename
      ... on ForgottenCounts {
        threads
        turns
        episodes
        skills
        reviews
        semanticMemories
        profiles
        links
      }
    }
  }
`);

export const MOVE_MISPLACED = graphql(`
  mutation MoveMisplaced($episodeIds: [ID!], $userId: String) {
    moveMisplacedEpisodes(episodeIds: $episodeIds, userId: $userId) {
      __typename
      ... on MoveMisplacedEpisodesPayload {
        episodes {
          id
          capture
          summary
        }
      }
      ... on Error {
        code
      }
    }
  }
`);

/** Returns what was derived from a user's turns: threads latest first, segments earliest first. */
export async function memoryOf(client: Client) {
  const { viewer } = await client.execute(MEMORY);
  if (!viewer) throw new Error('The user does not exist.');
  const threads = viewer.threads.edges.map(({ node }) => ({
    ...node,
    segments: node.segments.edges.map((edge) => edge.node),
  }));
  const jobs = viewer.jobs.edges.map(({ node }) => node);
  return {
    ...viewer,
    threads,
    thread: threads[0] as (typeof threads)[number],
    segments: threads.toReversed().flatMap(({ segments }) => segments),
    events: viewer.events.edges.map(({ node }) => node),
    errors: jobs.filter(({ lastError }) => lastError),
  };
}

/** Six turns about repairing a tap. */
export const TAP = [
  'The kitchen tap drips all night, can I mend it myself?',
  'Turn the water off under the sink and unscrew the handle of the tap.',
  'The handle is off, and under it there is a brown rubber washer.',
  'Take that washer to the shop and buy the same size, 12 mm I think.',
  'The new washer is in and the tap does not drip any more.',
  'Well done, that tap will hold for years.',
];

/** Six turns about booking a flight. */
export const FLIGHT = [
  'I need a flight from Oslo to Lisbon on Friday 13 March for two people.',
  'There is one at 09:40 by way of Frankfurt and one at 14:05 direct.',
  'The direct flight, please, with two suitcases.',
  'Booked: flight TP 751 at 14:05, seats 12A and 12B, 412 euros.',
  'Is the flight on time, and which gate is it?',
  'The flight is on time, from gate 22.',
];

/** Returns turns of a user and an assistant alternately, from a time on, `apart` milliseconds apart. */
export const talk = (texts: readonly string[], from: string, apart = 60_000) =>
  texts.map((text, index) => ({
    role: index % 2 ? ('ASSISTANT' as const) : ('USER' as const),
    text,
    occurredAt: new Date(Date.parse(from) + index * apart).toISOString(),
  }));

/** Returns the turn numbers of segments as pairs. */
export const ranges = (segments: readonly { firstTurn: number; lastTurn: number }[]) =>
  segments.map(({ firstTurn, lastTurn }) => [firstTurn, lastTurn]);
