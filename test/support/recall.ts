import { graphql } from './generated/gql.ts';
import type { RecallInput } from './generated/graphql.ts';
import type { Client } from './world.ts';

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

/** Recalls from all kinds, with all that there is to see of it; throws when it is refused. */
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
