import { recordImpression } from '../../src/recall/record-impression.ts';
import { readGlobalId } from '../../src/schema/core/global-id.ts';
import { CLOSE, CONFIGURE_CAPTURE, talk } from './episodes.ts';
import { graphql } from './generated/gql.ts';
import { say } from './samples/conversation.ts';
import { CAR, DENTIST, ROOF } from './samples/conversations.ts';
import type { Client, World } from './world.ts';

const REVIEWS = graphql(`
  query Reviews {
    viewer {
      episodes(first: 20, capture: [CREATED]) {
        edges {
          node {
            id
            title
            endedAt
            surprise
            stability
            difficulty
            lastReviewedAt
            reviews {
              number
              rating
              at
              byHand
              generatedBy
              model
              before {
                stability
                difficulty
              }
              after {
                stability
                difficulty
              }
              thread {
                id
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
            thread {
              id
            }
          }
        }
      }
      jobs(first: 20) {
        edges {
          node {
            step
            lastError
          }
        }
      }
    }
  }
`);

export const RATE = graphql(`
  mutation RateMemory($id: ID!, $rating: MemoryRating!) {
    rateMemory(id: $id, rating: $rating) {
      __typename
      ... on Episode {
        stability
        difficulty
        lastReviewedAt
      }
      ... on Error {
        code
      }
      ... on InvalidInputError {
        issues {
          path
        }
      }
    }
  }
`);

export const DECAY = graphql(`
  query Decay($id: ID!, $days: Int, $asOf: DateTime) {
    episode(id: $id) {
      retrievability(asOf: $asOf)
      decay(days: $days, asOf: $asOf) {
        day
        at
        retrievability
      }
    }
  }
`);

/** Returns a user's episodes with their reviews, earliest first, and the events about reviews. */
export async function reviewsOf(client: Client) {
  const { viewer } = await client.execute(REVIEWS);
  if (!viewer) throw new Error('The user does not exist.');
  const jobs = viewer.jobs.edges.map(({ node }) => node);
  if (jobs.some(({ lastError }) => lastError)) throw new Error(JSON.stringify(jobs));
  const episodes = viewer.episodes.edges.map(({ node }) => node).reverse();
  return {
    episodes,
    jobs,
    decisions: viewer.events.edges
      .map(({ node }) => node)
      .filter(({ kind }) => kind === 'MEMORY_REVIEWED'),
  };
}

/** Creates a user with three episodes of 2, 3 and 4 March about a roof, a car and a dentist. Returns their numbers in the database. */
export async function teller(
  world: World,
  userId: string,
): Promise<{ client: Client; shown: number[] }> {
  world.now = new Date('2026-03-05T12:00:00Z');
  const client = await world.user(userId);
  const capture = { everything: true };
  await client.execute(CONFIGURE_CAPTURE, { capture, timeZone: 'America/New_York' });
  for (const [day, lines] of [ROOF, CAR, DENTIST].entries()) {
    const turns = talk(
      lines.map(([, text]) => text),
      `2026-03-0${day + 2}T09:00:00Z`,
    );
    await say(client, { channel: 'sms', turns });
    await world.settle();
  }
  const { rows } = await world.ctx.db.pool.query<{ id: number }>(
    `SELECT id FROM episodes WHERE user_id = $1 AND capture = 'CREATED' ORDER BY ended_at`,
    [client.userId],
  );
  if (rows.length !== 3) throw new Error(`${rows.length} episodes`);
  return { client, shown: rows.map(({ id }) => id) };
}

/** Returns the impressions that are recorded for a user. */
export async function notesOf(world: World, { userId }: Client): Promise<object[]> {
  const sql = 'SELECT thread_id, episode_id FROM shown_episodes WHERE user_id = $1 ORDER BY 1, 2';
  return (await world.ctx.db.pool.query(sql, [userId])).rows;
}

/** A conversation that uses the episode about the roof. */
const ROOF_TALK = [
  'Did the tarpaulin that my brother nailed over the hole in the roof of the barn hold?',
  'The storm tore forty tiles off the roof of the barn, and the tarpaulin over the hole still holds.',
  'And the hay that got wet under the roof of the barn?',
  'You carried the wet hay out, half of it, while your brother nailed the tarpaulin.',
  'The roofer comes on Thursday then, for the forty tiles.',
  'Then the barn has its roof back before the weekend.',
];

/** Opens a thread with a first turn, records impressions of episodes in it, and continues the conversation. */
export async function showAndTalk(
  world: World,
  client: Client,
  shown: readonly number[],
  { at, talk: texts = ROOF_TALK }: { at: string; talk?: readonly string[] },
) {
  world.now = new Date(at);
  const newThread = { title: 'Afterwards' };
  const first = [{ text: 'I have a question about the farm.', occurredAt: at }];
  const [opened] = await say(client, { channel: 'web', newThread, turns: first });
  const threadId = opened?.thread.id ?? '';
  await recordImpression(world.ctx, client.userId, {
    threadId: localThread(threadId),
    episodeIds: shown,
    now: world.now,
  });
  const turns = talk(texts, new Date(Date.parse(at) + 60_000).toISOString());
  world.now = new Date(Date.parse(at) + 20 * 60_000);
  if (turns.length > 0) await say(client, { channel: 'web', threadId, turns });
  const close = () => client.execute(CLOSE, { threadId });
  return { threadId, close, last: turns.at(-1)?.occurredAt };
}

/** Returns the number in the database of a thread's global id. */
export const localThread = (id: string): number => Number(readGlobalId(id)?.key.at(-1));
