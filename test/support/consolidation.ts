import type { StepInput } from '../../src/reasoner/reasoner.ts';
import { CONFIGURE_CAPTURE, talk } from './episodes.ts';
import { graphql } from './generated/gql.ts';
import { say } from './samples/conversation.ts';
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

/** A conversation of two turns for each day. */
const DAYS = [
  [
    'Last week I moved to Porto with my wife Ana, and we live in a small flat by the river now. The move took two days.',
    'Then you have the river before your window in Porto.',
  ],
  [
    'When you explain something to me, I prefer short answers with one example. Long lists make me tired after a minute.',
    'Noted: short answers with one example.',
  ],
  [
    'We decided in the team to write the new backend in TypeScript, because everybody knows it already. The old one in Java goes away in June.',
    'TypeScript it is for the backend.',
  ],
  [
    'I usually work from home and early in the morning, before my daughter wakes up. Meetings before ten are no good for me.',
    'Mornings at home suit you, without meetings.',
  ],
  [
    'My daughter Rita started school on Monday, and she has a red bag with a fox on it. She cried a little, and so did I.',
    'A big day for Rita and for you.',
  ],
  [
    'The storm tore forty tiles off the roof of the barn last night, and half of the hay got wet. My brother nailed a tarpaulin over the hole.',
    'Then the barn should hold until the roofer comes.',
  ],
  [
    'We sold the old Volvo to a student from Braga yesterday, for 1,900 euros. He drove it home in the evening.',
    'It carried you for nineteen years.',
  ],
  [
    'The dentist pulled my back tooth because it had a crack, and it hurts less now. She wants to see me again on Monday at ten.',
    'Rest a little after that tooth.',
  ],
  [
    'I am learning to play the cello, with a teacher who comes on Saturdays at four. The bow is harder than the strings.',
    'Saturdays at four are for the cello.',
  ],
  [
    'Our team deploys to Kubernetes on Thursdays only, after the code reviews are done. We never deploy on Fridays.',
    'Thursdays are for deployments, then.',
  ],
];

/** Stores a conversation of two turns on each of the given days of March 2026, each as a thread of its own. */
export async function talkOn(world: World, client: Client, from: number, through: number) {
  for (let day = from; day <= through; day++) {
    await say(client, { channel: 'sms', turns: talkOf(day) });
    await world.settle();
  }
}

/** Returns the turns of a day of March. */
export const talkOf = (day: number) =>
  talk(
    DAYS[(day - 1) % DAYS.length] as string[],
    `2026-03-${String(day).padStart(2, '0')}T09:00:00Z`,
  );

/** Stores forty turns of 3 March about two topics in an open thread. The first topic is already an episode. */
export async function talkOpenly(world: World, client: Client) {
  const texts = [
    'We decided that the cello gets new strings before the concert in the church.',
    'The boiler leaks, and the plumber looks after the valve in the cellar.',
  ];
  const turns = talk(
    texts.flatMap((text) => Array<string>(20).fill(text)),
    '2026-03-03T08:00:00Z',
  );
  world.now = new Date('2026-03-03T08:40:00Z');
  await say(client, { channel: 'web', newThread: { title: 'Open' }, turns });
  await world.settle();
  world.now = new Date('2026-03-03T08:41:00Z');
  await world.settle();
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
