import { graphql } from './generated/gql.ts';
import type { Client } from './world.ts';

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
            links(first: 5) {
              edges {
                node {
                  verdict
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
    threads: viewer.threads.edges.map(({ node }) => node).reverse(),
    events: viewer.events.edges.map(({ node }) => node),
    errors: jobs.filter(({ lastError }) => lastError),
  };
}
