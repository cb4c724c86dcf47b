import { memoryTools, withMemory } from '@mnemograph/adapters/ai-sdk';
import { createMemory, type Memory } from '@mnemograph/client';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aiSdkModel, answered, called, streamed } from '../support/models/answering.ts';
import { saidIn } from '../support/models/said.ts';
import { memoryAway } from '../support/network/away.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** The memory of a user who has said where they live. */
async function memoryOf(userId: string): Promise<Memory> {
  const memory = createMemory({ url: server.origin, token: await userToken(userId) });
  await memory.remember('I live in Porto and I am vegetarian.', { channel: 'sms' });
  await server.world.settle();
  return memory;
}

/** On a busy machine, too. */
const timeout = 20_000;

it('a wrapped model of the AI SDK is given what memory knows, after the system message, and both sides are remembered', async () => {
  const memory = await memoryOf('ada');
  const model = aiSdkModel('Try the tempeh place.');
  const system = 'You are a guide.';
  const prompt = 'Where shall I eat in Porto?';
  const { text } = await generateText({
    model: withMemory(model, { memory, timeout }),
    system,
    prompt,
  });
  expect(text).toBe('Try the tempeh place.');
  const [call] = model.doGenerateCalls;
  expect(call?.prompt.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
  expect(call?.prompt[0]?.content).toBe(system);
  expect(call?.prompt[1]?.content).toMatch(/^<memory>[\s\S]*vegetarian/);
  expect(await saidIn(memory)).toMatchObject([
    { role: 'USER', text: prompt },
    { role: 'ASSISTANT', text: 'Try the tempeh place.' },
  ]);
});

it('a wrapped model of the AI SDK recalls once in a loop of tools, and what the tools gave is kept', async () => {
  const memory = await memoryOf('bob');
  const context = vi.spyOn(memory, 'context');
  const model = new MockLanguageModelV3({
    doGenerate: [called('weather', { city: 'Porto' }), answered('It rains in Porto.')],
  });
  const weather = tool({
    description: 'The weather.',
    inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
    execute: ({ city }) => `rain in ${city}`,
  });
  await generateText({
    model: withMemory(model, { memory, timeout }),
    tools: { weather },
    stopWhen: stepCountIs(3),
    prompt: 'How is the weather at home?',
  });
  expect(model.doGenerateCalls).toHaveLength(2);
  expect(context).toHaveBeenCalledTimes(1);
  for (const { prompt } of model.doGenerateCalls) expect(prompt[0]?.content).toContain('Porto');
  expect(await saidIn(memory)).toMatchObject([
    { role: 'USER', text: 'How is the weather at home?', toolCalls: [] },
    {
      role: 'ASSISTANT',
      text: 'Let me look.\n\nIt rains in Porto.',
      toolCalls: [{ name: 'weather', ok: true, result: 'rain in Porto' }],
    },
  ]);
});

it('a question whose tool runs in a browser is remembered once, with the answer that another request brings', async () => {
  const memory = await memoryOf('finn');
  const first = new MockLanguageModelV3({ doGenerate: [called('weather', { city: 'Porto' })] });
  const asked = { role: 'user' as const, content: 'How is the weather?' };
  const weather = tool({
    inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
    outputSchema: jsonSchema<string>({ type: 'string' }),
  });
  const request = (model: MockLanguageModelV3, messages: ModelMessage[]) =>
    generateText({ model: withMemory(model, { memory, timeout }), tools: { weather }, messages });
  const { response, toolCalls } = await request(first, [asked]);
  expect((await saidIn(memory)).map(({ text }) => text)).toEqual([asked.content]);
  const [{ toolCallId, toolName } = { toolCallId: '', toolName: '' }] = toolCalls;
  // Longer than what is stored of it, which would end with half a letter.
  const output = { type: 'text' as const, value: `${'a'.repeat(99_999)}😀` };
  const content = [{ type: 'tool-result' as const, toolCallId, toolName, output }];
  const result = { role: 'tool' as const, content };
  await request(aiSdkModel('It rains.'), [asked, ...response.messages, result]);
  expect((await saidIn(memory)).map(({ text }) => text)).toEqual([
    asked.content,
    'Let me look.\n\nIt rains.',
  ]);
});

it('what a wrapped model of the AI SDK streamed is remembered before the reader is told that the stream is over', async () => {
  const memory = await memoryOf('cleo');
  const model = new MockLanguageModelV3({
    doStream: () =>
      Promise.resolve({ stream: simulateReadableStream({ chunks: streamed('In ', 'Porto.') }) }),
  });
  const result = streamText({
    model: withMemory(model, { memory, timeout }),
    prompt: 'Where do I live?',
  });
  let text = '';
  for await (const part of result.textStream) text += part;
  expect(text).toBe('In Porto.');
  expect((await saidIn(memory)).map((turn) => turn.text)).toEqual([
    'Where do I live?',
    'In Porto.',
  ]);
});

it('when the reader leaves a stream of the AI SDK, what was shown is remembered', async () => {
  const memory = await memoryOf('dora');
  const model = new MockLanguageModelV3({
    doStream: () =>
      Promise.resolve({
        stream: simulateReadableStream({ chunks: streamed('One.', 'Two.', 'Three.') }),
      }),
  });
  const call = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }] };
  const { stream } = await withMemory(model, { memory, timeout }).doStream(call as never);
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === 'text-delta') break;
  }
  await reader.cancel();
  const [question, answer] = await saidIn(memory);
  expect([question?.text, answer?.text]).toEqual(['Count.', expect.stringMatching(/^One/)]);
  expect(answer?.text).not.toContain('Three');
});

it('the adapter of the AI SDK wraps models of the specification v2, and of v4 by their structure', async () => {
  const memory = await memoryOf('emil');
  const second = {
    specificationVersion: 'v2' as const,
    provider: 'test',
    modelId: 'second',
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: 'text' as const, text: 'Two.' }],
      finishReason: 'stop' as const,
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      warnings: [],
    }),
    doStream: async () => ({ stream: simulateReadableStream<never>({ chunks: [] }) }),
  };
  const { text } = await generateText({
    model: withMemory(second, { memory, timeout }),
    prompt: 'Second?',
  });
  expect(text).toBe('Two.');
  const fourth = {
    specificationVersion: 'v4' as const,
    doGenerate: vi.fn(async (_call: object) => answered('Four.')),
    doStream: vi.fn(async (_call: object) => ({ stream: simulateReadableStream({ chunks: [] }) })),
  };
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Fourth?' }] }];
  await withMemory(fourth, { memory, timeout }).doGenerate({ prompt });
  expect(JSON.stringify(fourth.doGenerate.mock.calls[0])).toContain('vegetarian');
  expect((await saidIn(memory)).map((turn) => turn.text)).toEqual([
    'Second?',
    'Two.',
    'Fourth?',
    'Four.',
  ]);
});

it('a wrapped model of the AI SDK goes on without memory when it is away, and the adapter warns once', async () => {
  const { options, warn } = memoryAway();
  const model = aiSdkModel('Hello.');
  const wrapped = withMemory(model, options);
  for (const prompt of ['Hi.', 'Hi again.']) {
    expect((await generateText({ model: wrapped, prompt })).text).toBe('Hello.');
  }
  expect(model.doGenerateCalls.map(({ prompt }) => prompt.length)).toEqual([1, 1]);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toContain('Mnemograph is away');
});

it('the tools for the AI SDK let a model search and store by itself', async () => {
  const memory = await memoryOf('fay');
  const model = new MockLanguageModelV3({
    doGenerate: [
      called('remember', { text: 'My cat is Zorro.' }),
      called('recall', { query: 'Who is vegetarian?' }),
      answered('You are.'),
    ],
  });
  const tools = memoryTools(memory);
  const { text, steps } = await generateText({
    model,
    tools,
    stopWhen: stepCountIs(4),
    prompt: 'Who?',
  });
  expect(text).toBe('You are.');
  const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(results).toEqual(['STORED', expect.stringContaining('vegetarian')]);
  expect((await saidIn(memory)).map((turn) => turn.text)).toEqual(['My cat is Zorro.']);
});
