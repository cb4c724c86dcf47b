import { vi } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { sharedThreads } from '../shared.ts';
import { type Client, createWorld, type World } from '../world.ts';
import { chat, type ModelRequest, type ModelServer, startModelServer } from './model-server.ts';

const MODEL_STEPS = new Set([
  'segment-thread',
  'capture-segments',
  'compact-thread',
  'embed-turns',
]);

export const SECRET = 'sk-a-secret-of-the-operator';

/** The model's description of every thread, unless a test defines another. */
export const DESCRIPTION = {
  title: 'A talk of that day about this and that',
  summary: 'They talked.',
  topic: 'this and that',
  approach: '',
  outcomes: [],
};

const UNRELATED = { related: false, confidence: 0.9, reasoning: 'No.', keySignals: [] };

const { summary, outcomes: _, ...HEADING } = DESCRIPTION;
/** The model's other summaries of a thread. */
export const DETAILS = { meso: 'They talked of it.', macro: '', skills: [] };

/** The model's replies by step. */
const REPLIES: Record<string, object> = {
  compact: { heading: HEADING, micro: summary, ...DETAILS },
  extract_facts: { facts: [] },
  find_boundaries: {
    segments: [{ first: 0, confidence: 1, level: 'LOW', ...DESCRIPTION }],
    whole: DETAILS,
  },
  judge_surprise: { level: 'LOW' },
  summarize_episodes: { summary: 'The user talks a lot.' },
  synthesize_profile: {
    communication: '',
    technical: '',
    workPattern: '',
    personalContext: '',
    prose: 'They talk a lot.',
  },
};

type Cost = Parameters<typeof chat>[1];

/** Rates the first memory in a prompt GOOD and the others AGAIN. */
const rated = (prompt = '') =>
  [...(prompt.split('</memories>')[0] ?? '').matchAll(/^\[\d+\] /gm)].map((_, place) =>
    place === 0 ? 'GOOD' : 'AGAIN',
  );

/** Returns the model's reply to a request of any step. */
export function answerTo({ body }: ModelRequest, cost?: Cost) {
  const step = body.response_format?.json_schema?.name;
  if (step === 'rate_retrieved') {
    return chat({ ratings: rated(body.messages?.at(-1)?.content) }, cost);
  }
  if (step === 'assess_relatedness') {
    const threads = body.messages?.at(-1)?.content.match(/^<thread>/gm)?.length ?? 0;
    return chat({ assessments: Array(threads).fill(UNRELATED) }, cost);
  }
  return chat(REPLIES[step ?? ''] ?? DESCRIPTION, cost);
}

/** A world whose reasoner is a model behind a stub. */
export type ModelWorld = AsyncDisposable & {
  world: World;
  server: ModelServer;
  /** All log lines. */
  logged: string[];
  /** Advances the world's clock, which jobs use, and the faked date, which the circuit breaker uses. */
  pass(seconds: number): void;
};

/** Creates the world. It fakes the date, because the circuit breaker uses the real clock. */
export async function createModelWorld(
  answer: ModelServer['answer'],
  settings: Record<string, string> = {},
): Promise<ModelWorld> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const logged: string[] = [];
  const write = (...parts: unknown[]) =>
    void logged.push(
      JSON.stringify(parts, (_, value) =>
        value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value,
      ),
    );
  const server = await startModelServer(answer);
  const world = await createWorld(
    {
      REASONER: 'openai',
      REASONER_MODEL: 'small',
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: SECRET,
      EMBEDDER: 'none',
      ...settings,
    },
    {
      logger: { debug: write, info: write, warn: write, error: write } as never,
      languageThreads: sharedThreads(false),
    },
  );
  vi.setSystemTime(world.now);
  return {
    world,
    server,
    logged,
    pass(seconds) {
      world.now = new Date(world.now.getTime() + seconds * 1000);
      vi.setSystemTime(world.now);
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      vi.useRealTimers();
    },
  };
}

const IMPORT = graphql(`
  mutation ImportForModel($input: ImportConversationInput!) {
    importConversation(input: $input) {
      __typename
      ... on ImportPayload {
        stored
      }
    }
  }
`);
const STATE = graphql(`
  query ModelState {
    viewer {
      turnCount
      jobs(first: 100) {
        edges {
          node {
            step
            state
            attempts
            lastError
            runAt
          }
        }
      }
      threads(first: 100) {
        edges {
          node {
            segments(first: 10) {
              edges {
                node {
                  title
                  generatedBy
                  model
                }
              }
            }
            primaryEpisode {
              title
              generatedBy
              model
            }
          }
        }
      }
      events(last: 100) {
        edges {
          node {
            number
            kind
          }
        }
      }
      newestEvents: events(last: 100) {
        edges {
          node {
            number
            kind
          }
        }
      }
      usage(days: 7) {
        day
        step
        model
        calls
        promptTokens
        cachedTokens
        completionTokens
      }
    }
  }
`);

/** Imports `talks` threads of two turns each, one per day. */
export async function importTalks(client: Client, talks: number, from = 0) {
  const turns = Array.from({ length: talks * 2 }, (_, index) => ({
    speaker: index % 2 ? 'Bob' : 'Ada',
    text: `What was said number ${from + index}`,
    occurredAt: new Date(
      Date.UTC(2025, 0, 1 + Math.floor(index / 2) + from, 10, index % 2),
    ).toISOString(),
  }));
  await client.execute(IMPORT, { input: { self: 'Ada', turns } });
}

/** Returns the state of a user's memory: jobs, segments, episodes and usage. */
export async function stateOf(client: Client) {
  const { viewer } = await client.execute(STATE);
  if (!viewer) throw new Error('The user does not exist.');
  return {
    ...viewer,
    jobs: viewer.jobs.edges.map(({ node }) => node).filter(({ step }) => MODEL_STEPS.has(step)),
    segments: viewer.threads.edges.flatMap(({ node }) =>
      node.segments.edges.map((edge) => edge.node),
    ),
    episodes: viewer.threads.edges.map(({ node }) => node.primaryEpisode),
    described: new Set(
      [...viewer.events.edges, ...viewer.newestEvents.edges]
        .filter(({ node }) => node.kind === 'THREAD_COMPACTED')
        .map(({ node }) => node.number),
    ).size,
  };
}
