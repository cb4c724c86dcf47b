import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { EmbeddingProfile } from '../domain/core/embedding-profile.ts';
import { type Embedder, EmbedderFailed } from '../embedder/core/embedder.ts';
import { nlp } from '../reasoner/extractive/text/tagger.ts';
import type { Reasoner } from '../reasoner/reasoner.ts';
import { lowerPriority } from '../worker-file.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { ownThreadId } from './processor-time.ts';
import { type RuleFunctions, ruleFunctions } from './rule-functions.ts';

/** The steps of the reasoner, by the names of their methods. */
export type ReasonerMethod = Exclude<keyof Reasoner, 'generatedBy' | 'modelOf'>;
export type Method = ReasonerMethod | keyof RuleFunctions;

/** The functions that the thread offers to the server. */
export type ThreadFunctions = {
  run(method: Method, input: unknown, userId: string): Promise<Outcome<unknown>>;
  /** Reads the sample texts, so that later tasks are quick. A task meanwhile waits for the sample that is being read. */
  readSamples(): Promise<void>;
};

/** The functions that the server offers to the thread. */
export type ServerFunctions = {
  /** Embeds texts; null while the embedder is unavailable. */
  embed(texts: readonly string[], userId: string | null): Promise<Float32Array[] | null>;
  /** Called when the thread has loaded its rules. `threadId`: see `ownThreadId`. */
  ready(threadId: number | null): void;
};

/** Beforehand: the thread is ready when it has read them. Later: it is ready sooner, and reads them when it is told to. */
export type Samples = 'beforehand' | 'later' | 'never';

export type ThreadData = {
  /** The embedding profile of the server's embedder; null if there is none. */
  profile: EmbeddingProfile | null;
  /** Added to the nice value of the thread; 0 = the priority of the process. */
  niceness: number;
  /**
   * After how many tasks `niceness` applies; 0 if omitted. The first tasks load the rules and compile their expressions: on a busy machine
   * that takes many seconds at a lower priority, and somebody's first fact waits for it.
   */
  niceAfter?: number;
  /** When the thread reads sample texts, so that its first tasks are quick. */
  samples: Samples;
};

type Work = (input: unknown, call: { userId: string }) => unknown;

const isRule = (method: Method): method is keyof RuleFunctions => method in ruleFunctions;

/** Each text comes in two forms: the engine compiles a regular expression again for text beyond Latin-1 (curly quotes, emoji). */
const FAMILIAR = [
  "My name is Ada, call me at +1 650 253 0000. I don't use Vim; I live in Oslo.",
  'My name is Ada, call me at +1 650 253 0000 “now”. I don’t use Vim; I live in Oslo.',
  'Hi, my email is ada@example.org, see www.example.org, and I never eat meat.',
  'Hi, my email is ada@example.org “home”, see www.example.org, and I never eat meat.',
];
const QUESTION = 'What did we say about Oslo last Monday, and what is my name?';

/** By default the engine compiles a regular expression when it runs for the second time. */
const TWICE = [1, 2];

function readQuestion(): void {
  for (const _ of TWICE) {
    ruleFunctions.readQuestion(QUESTION);
    ruleFunctions.timeRange({ text: QUESTION, now: new Date(0), timeZone: 'UTC' });
  }
}

/**
 * Reads sample texts, since the first text takes far longer than later ones: tables are built and expressions compiled. Pauses
 * after each, so that a request waits for one of them at most.
 */
async function readSamples(): Promise<void> {
  // A task that has to load the tagger first would exceed its limit.
  nlp('Oslo');
  await setImmediate();
  for (const text of FAMILIAR) {
    const turn = { role: 'USER', speaker: null, occurredAt: new Date(0), text } as const;
    for (const _ of TWICE) ruleFunctions.readTurns({ turns: [turn], withFacts: true });
    await setImmediate();
  }
}

const port = parentPort;
if (port) {
  const { profile, niceness, niceAfter = 0, samples } = workerData as ThreadData;
  let tasksLeft = niceAfter;
  const beNiceInTime = () => {
    tasksLeft -= 1;
    if (tasksLeft === -1) lowerPriority(niceness);
  };
  beNiceInTime();
  const server = createBirpc<ServerFunctions, ThreadFunctions>(
    {
      run: (method, input, userId): Promise<Outcome<unknown>> =>
        outcomeOf(run(method, input, userId).finally(beNiceInTime)),
      readSamples,
    },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      timeout: -1,
    },
  );
  const embedder: Embedder | null = profile && {
    name: null,
    dimension: null,
    profile,
    identify: () => Promise.reject(new Error('The thread embeds through the server.')),
    embed: async (texts, { userId }) => {
      const vectors = await server.embed(texts, userId ?? null);
      if (vectors === null) throw new EmbedderFailed("The server's embedder is not available now.");
      return vectors;
    },
    [Symbol.asyncDispose]: async () => {},
  };
  /** Loaded in background threads only: requests do not use it. */
  let reasoner: Promise<Reasoner> | null = null;
  const loadReasoner = async (): Promise<Reasoner> => {
    const { createExtractiveReasoner } = await import('../reasoner/extractive/extractive.ts');
    return createExtractiveReasoner({ embedder });
  };
  const run = async (method: Method, input: unknown, userId: string): Promise<unknown> => {
    if (isRule(method)) return (ruleFunctions[method] as Work)(input, { userId });
    reasoner ??= loadReasoner();
    return ((await reasoner)[method] as Work)(input, { userId });
  };
  if (samples === 'never') {
    reasoner = loadReasoner();
    await reasoner;
  } else readQuestion();
  if (samples === 'beforehand') await readSamples();
  void server.ready(ownThreadId());
}
