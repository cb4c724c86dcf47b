import { createEndpoint, type EndpointOptions } from '../../../src/openai/endpoint.ts';
import type { Usage } from '../../../src/openai/meter.ts';
import {
  createOpenAiReasoner,
  type OpenAiReasonerOptions,
} from '../../../src/reasoner/openai/openai.ts';
import type { Utterance } from '../../../src/reasoner/reasoner.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** The user of the reasoner's tests. */
export const CALL = { userId: 'maya' };

/** Creates a reasoner on a stub server, with the usage and calls that it recorded. */
export async function createModelReasoner(
  answer: ModelServer['answer'],
  options: Partial<EndpointOptions & Pick<OpenAiReasonerOptions, 'inputTokens' | 'choose'>> = {},
) {
  const server = await startModelServer(answer);
  const usage: (Usage & { userId: string | null })[] = [];
  const endpoint = createEndpoint({
    baseUrl: server.baseUrl,
    apiKey: 'sk-secret-of-tests',
    concurrency: 4,
    timeout: 2_000,
    retries: 2,
    retryDelay: 1,
    pause: 1_000,
    clock: () => new Date(),
    ...options,
  });
  const calls: { step: string; outcome: string }[] = [];
  const reasoner = createOpenAiReasoner({
    endpoint,
    meter: {
      admit: async () => {},
      record: async (userId, entry) => void usage.push({ userId, ...entry }),
    },
    clock: options.clock ?? (() => new Date()),
    observe: ({ step, outcome }) => calls.push({ step, outcome }),
    choose:
      options.choose ??
      ((step) => ({ model: step === 'compact' ? 'large' : 'small', temperature: 0 })),
    inputTokens: options.inputTokens ?? 8_000,
  });
  return {
    reasoner,
    server,
    usage,
    calls,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns turns a minute apart, given as [role, text]. */
export const talk = (...lines: [Utterance['role'], string][]): Utterance[] =>
  lines.map(([role, text], index) => ({
    role,
    speaker: role === 'USER' ? 'Maya' : null,
    text,
    occurredAt: new Date(Date.UTC(2026, 2, 2, 9, index)),
  }));

/** Returns the text of a request to the stub, with all its messages; by default of the last one. */
export const promptOf = (server: ModelServer, index = server.requests.length - 1): string =>
  (server.requests[index]?.body.messages ?? []).map(({ content }) => content).join('\n');
