import { withMemory } from '@mnemograph/adapters/ai-sdk';
import { memoryMiddleware } from '@mnemograph/adapters/langchain';
import { memoryFilter, remembering } from '@mnemograph/adapters/openai-agents';
import { createMemory } from '@mnemograph/client';
import { Agent, MemorySession, Runner } from '@openai/agents-core';
import { generateText, streamText } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { AIMessage, createAgent, fakeModel } from 'langchain';
import { expect, it, vi } from 'vitest';
import { aiSdkModel, openaiAgentsModel, streamed } from '../support/models/answering.ts';
import { memoryAway } from '../support/network/away.ts';
import { listenSilently } from '../support/network/silent.ts';

type Options = ReturnType<typeof memoryAway>['options'];

async function streamedBy(options: Options): Promise<string> {
  const doStream = async () => ({
    stream: simulateReadableStream({ chunks: streamed('Hel', 'lo.') }),
  });
  const model = withMemory(new MockLanguageModelV3({ doStream }), options);
  let text = '';
  for await (const part of streamText({ model, prompt: 'Hi.' }).textStream) text += part;
  return text;
}

/** Each asks a model that answers "Hello.", through an adapter, and returns what comes. */
const ADAPTERS: Record<string, (options: Options) => Promise<string | undefined>> = {
  'a call of the AI SDK': async (options) => {
    const model = withMemory(aiSdkModel('Hello.'), options);
    return (await generateText({ model, prompt: 'Hi.' })).text;
  },
  'a stream of the AI SDK': streamedBy,
  'an agent of LangChain': async (options) => {
    const model = fakeModel().respond(new AIMessage('Hello.'));
    const agent = createAgent({ model, tools: [], middleware: [memoryMiddleware(options)] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Hi.' }] });
    return messages.at(-1)?.text;
  },
  'an agent of OpenAI': async (options) => {
    const session = remembering(new MemorySession(), options);
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(
      new Agent({ name: 'guide', model: openaiAgentsModel('Hello.') }),
      'Hi.',
      { session, callModelInputFilter: memoryFilter(options) },
    );
    return finalOutput;
  },
};

it('a stream of the AI SDK goes on without memory when it is away, and the adapter warns once', async () => {
  const { options, warn } = memoryAway();
  expect(await streamedBy(options)).toBe('Hello.');
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toContain('Mnemograph is away');
});

it.each(Object.entries(ADAPTERS))(
  '%s goes on when memory does not answer within its timeout, and the adapter warns once',
  async (_name, ask) => {
    using silent = await listenSilently();
    const warn = vi.fn();
    const memory = createMemory({ url: silent.origin });
    expect(await ask({ memory, warn, timeout: 100 })).toBe('Hello.');
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain('There was no answer within 100 ms.');
  },
);
