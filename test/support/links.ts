import { talk } from './episodes.ts';
import { graphql } from './generated/gql.ts';
import { say } from './samples/conversation.ts';
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

/** Returns the links, cross-thread episodes and threads of a user; links and threads earliest first. */
export async function linksOf(client: Client) {
  const { viewer } = await client.execute(LINKS);
  if (!viewer) throw new Error('The user does not exist.');
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

/** Returns the kinds of the events that are about linking. */
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

/** Rates a link decision. */
export const rate = async (
  client: Client,
  linkId: string,
  outcome: 'CORRECT' | 'INCORRECT' | 'UNKNOWN',
) => (await client.execute(RATE, { linkId, outcome })).rateLink;

/** Inserts `count` link decisions on new threads. Pairs with a score above 0.55 are meant to belong together. Returns the ids. */
export async function decide(
  world: World,
  client: Client,
  count: number,
  words = 'flat',
): Promise<string[]> {
  const { userId } = client;
  await world.ctx.db.pool.query(
    `INSERT INTO users (user_id, last_thread, last_link) VALUES ($1, $2 + 1, $2) ON CONFLICT (user_id) DO UPDATE SET
      last_thread = excluded.last_thread, last_link = excluded.last_link`,
    [userId, count],
  );
  await world.ctx.db.pool.query(
    `INSERT INTO threads (user_id, id, explicit, state, channels, started_at, last_activity_at, idle_at, linked_turns)
     SELECT $1, n, false, 'CLOSED', '{sms}', now(), now(), now(), 6 FROM generate_series(1, $2::int + 1) n`,
    [userId, count],
  );
  await world.ctx.db.pool.query(
    `INSERT INTO links (user_id, id, thread_id, earlier_thread_id, turns, keyword, entity, topic, recency, algorithmic_score,
       algorithmic_related, algorithmic_confidence, reasoner_related, reasoner_confidence, reasoning, key_signals, generated_by,
       model, threshold, weights, verdict, certainty, fused_score, joins, decided_at)
     SELECT $1, n, n + 1, n, 1, s, s, NULL, s, s, s > 0.7, 0.5, false, 0.5, 'They speak of a ' || $3::text, ARRAY[$3::text],
       'MODEL', 'small', 0.7, '{"keyword":0.3,"entity":0.3,"topic":0.2,"recency":0.2}',
       CASE WHEN s > 0.7 THEN 'LINK' ELSE 'DONT_LINK' END::"LinkVerdict", 'HIGH', s, false, now()
     FROM (SELECT n, CASE WHEN n % 2 = 0 THEN 0.2 + 0.004 * n ELSE 0.6 + 0.004 * n END AS s FROM generate_series(1, $2::int) n) d`,
    [userId, count, words],
  );
  return (await linksOf(client)).links.map(({ id }) => id);
}

/** Stores threads on one channel, some hours apart, and runs all background work after each. */
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

/** Three threads about a flat; PARROT is about something else. */
export const FLAT = [
  ['We look for a flat in Porto with a kitchen.', 'There is a flat in Cedofeita with a kitchen.'],
  ['Does the flat in Cedofeita have a balcony too?', 'It has a balcony and a kitchen.'],
  ['Book the flat in Cedofeita with the kitchen, please.', 'The flat in Cedofeita is booked.'],
] as const;
export const PARROT = ['My parrot Kiki lost feathers again.', 'Ask a vet about the feathers.'];
