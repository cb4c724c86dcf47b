import type { StepInput } from '../../src/reasoner/reasoner.ts';
import { CONFIGURE_CAPTURE } from './episodes.ts';
import { graphql } from './generated/gql.ts';
import type { Client, World } from './world.ts';

const CONSOLIDATE = graphql(`
  mutation Consolidate($userId: String) {
    consolidate(userId: $userId) {
      __typename
      ... on ConsolidationPayload {
        episodesProcessed
        semanticMemoriesCreated
        semanticMemoriesRebuilt
        semanticMemory {
          id
          summary
        }
        compressionRatio {
          turnsPerMemory
          episodesPerMemory
        }
        facts {
          episodes
          turns
          recorded
          superseding
          reinforced
          refused
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

const SYNTHESIZE = graphql(`
  mutation Synthesize {
    synthesizeProfile {
      __typename
      ... on Profile {
        version
        prose
        sourceSemanticIds
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

const KNOWLEDGE = graphql(`
  query Knowledge {
    viewer {
      semanticMemories(first: 20) {
        edges {
          node {
            id
            summary
            startedAt
            endedAt
            episodeCount
            turnCount
            compressionRatio {
              turnsPerMemory
              episodesPerMemory
            }
            stale
            generatedBy
            model
            recordedAt
            episodes(first: 50) {
              edges {
                node {
                  id
                }
              }
            }
          }
        }
      }
      profile {
        id
        version
        communication
        technical
        workPattern
        personalContext
        prose
        sourceSemanticIds
        sources {
          id
        }
        sourceFacts {
          statement
        }
        stale
        generatedBy
        model
        recordedAt
      }
      profileHistory(first: 20) {
        edges {
          node {
            version
            prose
            sourceSemanticIds
          }
        }
      }
      episodes(first: 50, kind: SEGMENT) {
        edges {
          node {
            id
            capture
            endedAt
            summary
            consolidatedAt
            summarizedInto {
              id
            }
          }
        }
      }
      events(first: 100) {
        edges {
          node {
            kind
            decision
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

export const consolidate = async (client: Client, userId?: string) =>
  (await client.execute(CONSOLIDATE, { userId: userId ?? null })).consolidate;

export const synthesize = async (client: Client) =>
  (await client.execute(SYNTHESIZE)).synthesizeProfile;

/** Returns what was derived from a user's episodes: memories and versions latest first, episodes earliest first. */
export async function knowledgeOf(client: Client) {
  const { viewer } = await client.execute(KNOWLEDGE);
  if (!viewer) throw new Error('The user does not exist.');
  const jobs = viewer.jobs.edges.map(({ node }) => node);
  if (jobs.some(({ lastError }) => lastError)) throw new Error(JSON.stringify(jobs));
  const events = viewer.events.edges.map(({ node }) => node);
  return {
    consolidations: events.filter(({ kind }) => kind === 'EPISODES_CONSOLIDATED'),
    profile: viewer.profile,
    memories: viewer.semanticMemories.edges.map(({ node }) => ({
      ...node,
      episodes: node.episodes.edges.map((edge) => edge.node.id),
    })),
    history: viewer.profileHistory.edges.map(({ node }) => node),
    episodes: viewer.episodes.edges.map(({ node }) => node).reverse(),
    events: events.filter(({ kind }) => /MEMORY_FORMED|MEMORY_REBUILT|PROFILE/.test(kind)),
  };
}

/** Creates a user whose every segment becomes an episode. */
export async function recorder(world: World, userId: string): Promise<Client> {
  const client = await world.user(userId);
  await client.execute(CONFIGURE_CAPTURE, { capture: { everything: true } });
  return client;
}

/** Replaces the reasoner by one that repeats its input. Returns the list of inputs that it gets. */
export function echo(world: World, { repeatsContext = false } = {}) {
  const inputs: StepInput<'summarize-episodes'>[] = [];
  const text = (parts: readonly string[]) => parts.join(' ').slice(-4_000);
  world.with({
    reasoner: {
      ...world.ctx.reasoner,
      generatedBy: 'MODEL',
      summarizeEpisodes: async (input) => {
        inputs.push(input);
        const context = repeatsContext ? (input.existing ?? []) : [];
        return { summary: text([...context, ...input.episodes.map(({ summary }) => summary)]) };
      },
      synthesizeProfile: async ({ memories = [] }) => {
        const prose = text(memories.map(({ summary }) => summary)) || 'Only facts are known.';
        return { communication: '', technical: '', workPattern: '', personalContext: prose, prose };
      },
    },
  });
  return inputs;
}
