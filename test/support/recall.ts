import { consolidate, recorder } from './consolidation.ts';
import { TAP, talk } from './episodes.ts';
import { RECORD, sayFacts } from './facts.ts';
import { graphql } from './generated/gql.ts';
import type { RecallInput } from './generated/graphql.ts';
import { say } from './samples/conversation.ts';
import { madeOnce } from './samples/made-once.ts';
import { type Client, createWorld } from './world.ts';

/** The current time in Alex's world. */
export const NOW = '2026-03-20T12:00:00Z';

export const STORES = [
  'Which store should hold our vectors, FAISS or pgvector? Both databases look fine to me.',
  'FAISS is faster in memory, pgvector keeps them beside the rows of the other databases.',
  'Then we take pgvector, since our databases are PostgreSQL anyway.',
  'Good, pgvector with an HNSW index it is.',
];
const TALKS: readonly (readonly string[])[] = [
  STORES,
  ['The storm tore forty tiles off the roof of the barn.', 'Is the hay still dry?'],
  ['We sold the old Volvo to a student from Braga.', 'Did he take the winter tyres?'],
  ['Rita started school on Monday with a red bag.', 'A big day for Rita and for you.'],
  ['I am learning the cello with a teacher on Saturdays.', 'Saturdays are for the cello.'],
];

const RECALL_ALL = graphql(`
  query RecallAll($input: RecallInput!) {
    recall(input: $input) {
      __typename
      ... on RecallPayload {
        vectors
        intent
        asOf
        tokens
        markdown
        range {
          from
          to
          text
          filters
        }
        leftOut {
          facts
          hits
          details
        }
        facts {
          id
          category
          key
          value
          statement
          polarity
          importance
          pinned
          lastAccessedAt
          turns {
            text
          }
        }
        hits {
          __typename
          kind
          rank
          score
          explain {
            parts {
              name
              value
            }
            fused
            retrievability
            forgetting
            kindWeight
            bm25
            bm25Rank
            similarity
            vectorRank
          }
          ... on TurnHit {
            turn {
              text
            }
          }
          ... on EpisodeHit {
            title
            summary
            keyMoment
            turns {
              text
            }
            episode {
              id
              firstTurn
              lastTurn
              thread {
                id
              }
            }
          }
          ... on FactHit {
            fact {
              statement
              lastAccessedAt
            }
          }
          ... on SemanticMemoryHit {
            summary
            semanticMemory {
              episodeCount
            }
          }
          ... on SkillHit {
            name
            skill {
              name
            }
          }
        }
      }
      ... on InvalidInputError {
        issues {
          path
        }
      }
      ... on Error {
        message
      }
    }
  }
`);

/** Recalls hits of all kinds with all their fields. @throws if the query is refused */
export async function recallAll(client: Client, input: RecallInput) {
  const { recall } = await client.execute(RECALL_ALL, { input });
  if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
  const { hits } = recall;
  return {
    ...recall,
    kinds: hits.map(({ kind }) => kind),
    turns: hits.flatMap((hit) => (hit.__typename === 'TurnHit' ? [hit] : [])),
    episodes: hits.flatMap((hit) => (hit.__typename === 'EpisodeHit' ? [hit] : [])),
    found: hits.flatMap((hit) => (hit.__typename === 'FactHit' ? [hit] : [])),
    memories: hits.flatMap((hit) => (hit.__typename === 'SemanticMemoryHit' ? [hit] : [])),
    skills: hits.flatMap((hit) => (hit.__typename === 'SkillHit' ? [hit] : [])),
  };
}

/** Creates a world in which Alex has episodes of six days and some facts. */
export const alexWorld = madeOnce('alex', async () => {
  const world = await createWorld();
  world.now = new Date(NOW);
  const alex = await recorder(world, 'alex');
  for (const [index, texts] of TALKS.entries()) {
    const date = `2026-03-0${index + 1}T09:00:00Z`;
    await say(alex, { channel: 'sms', turns: talk(texts, date) });
    await world.settle();
  }
  await say(alex, {
    channel: 'web',
    newThread: { title: 'Tap', inactivityTimeoutMinutes: 60 },
    turns: talk(TAP, '2026-03-06T09:00:00Z'),
  });
  await world.settle();
  await sayFacts(world, alex, '2026-03-10T08:00:00Z', 'My name is Alex and I prefer Python.');
  await sayFacts(world, alex, '2026-03-11T08:00:00Z', 'I like using Vim.');
  await sayFacts(world, alex, '2026-03-12T08:00:00Z', "I don't use Vim any more.");
  const record = (input: object) => alex.execute(RECORD, { input: input as never });
  await record({
    ...{ category: 'INSTRUCTION', key: 'instruction:coding_style', importance: 0.85 },
    value: 'black with line length 100',
  });
  await record({
    category: 'INTEREST',
    key: 'interest:cello',
    value: 'the cello',
    importance: 0.3,
  });
  await record({ category: 'GOAL', value: 'swim to Berlenga', importance: 0.25, pinned: true });
  await consolidate(alex);
  await world.settle();
  return { world, alex };
});
