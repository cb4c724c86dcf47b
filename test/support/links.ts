import { say } from './conversation.ts';
import { talk } from './episodes.ts';
import { graphql } from './generated/gql.ts';
import type { Client, World } from './world.ts';

const LINKS = graphql(`
  query Links {
    viewer {
      links(first: 50) {
        edges {
          node {
            id
            thread {
              id
            }
            earlierThread {
              id
            }
            turns
            algorithmicScore
            algorithmicRelated
            algorithmicConfidence
            parts {
              keyword
              entity
              topic
              recency
            }
            leftOut
            reasonerRelated
            reasonerConfidence
            reasoning
            keySignals
            generatedBy
            threshold
            weights {
              keyword
              entity
              topic
              recency
            }
            agreement
            certainty
            verdict
            fusedScore
            joins
            outcome
            sign
            ratedAt
            decidedAt
          }
        }
      }
      episodes(kind: CROSS_THREAD, first: 20) {
        edges {
          node {
            id
            kind
            title
            summary
            micro
            meso
            firstTurn
            lastTurn
            startedAt
            endedAt
            stability
            thread {
              id
            }
            threads {
              id
              primaryEpisode {
                id
                kind
              }
            }
            turns {
              text
              channel
            }
            skills {
              name
              evidenceTurns
            }
          }
        }
      }
      threads(first: 20) {
        edges {
          node {
            id
            channels
            turnCount
            summary
            crossThreadEpisode {
              id
            }
            primaryEpisode {
              skills {
                name
              }
            }
            turns(first: 10) {
              edges {
                node {
                  id
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
            link {
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

/** What was found to belong together: threads the earliest first, links the earliest first. */
export async function linksOf(client: Client) {
  const { viewer } = await client.execute(LINKS);
  if (!viewer) throw new Error('nobody is there');
  const jobs = viewer.jobs.edges.map(({ node }) => node);
  return {
    links: viewer.links.edges.map(({ node }) => node).reverse(),
    episodes: viewer.episodes.edges.map(({ node }) => node),
    threads: viewer.threads.edges
      .map(({ node }) => ({ ...node, skills: node.primaryEpisode?.skills ?? [] }))
      .reverse(),
    events: viewer.events.edges.map(({ node }) => node),
    errors: jobs.filter(({ lastError }) => lastError),
  };
}

/** The kinds of events that linking makes. */
export const kindsOf = (events: readonly { kind: string }[]) =>
  events.map(({ kind }) => kind).filter((kind) => /LINK|CROSS/.test(kind));

const RATE = graphql(`
  mutation RateLink($linkId: ID!, $outcome: LinkOutcome!) {
    rateLink(linkId: $linkId, outcome: $outcome) {
      __typename
      ... on Link {
        outcome
        sign
        joins
      }
      ... on Error {
        code
      }
    }
  }
`);

export const rate = async (
  client: Client,
  linkId: string,
  outcome: 'CORRECT' | 'INCORRECT' | 'UNKNOWN',
) => (await client.execute(RATE, { linkId, outcome })).rateLink;

/** Tells threads of one channel, some hours apart, and lets each be worked on. */
export async function tellThreads(
  world: World,
  client: Client,
  threads: readonly (readonly string[])[],
  { from = '2026-03-02T08:00:00Z', hours = 1, channel = 'sms' } = {},
) {
  for (const [at, texts] of threads.entries()) {
    const start = Date.parse(from) + at * hours * 3_600_000;
    world.now = new Date(Math.max(+world.now, start + texts.length * 60_000));
    await say(client, { channel, turns: talk(texts, new Date(start).toISOString()) });
    await world.settle();
  }
}

/** Three threads on a flat, one on something else. */
export const FLAT = [
  ['We look for a flat in Porto with a kitchen.', 'There is a flat in Cedofeita with a kitchen.'],
  ['Does the flat in Cedofeita have a balcony too?', 'It has a balcony and a kitchen.'],
  ['Book the flat in Cedofeita with the kitchen, please.', 'The flat in Cedofeita is booked.'],
] as const;
export const PARROT = ['My parrot Kiki lost feathers again.', 'Ask a vet about the feathers.'];
