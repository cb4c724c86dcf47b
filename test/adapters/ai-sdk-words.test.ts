import { withMemory } from '@mnemograph/adapters/ai-sdk';
import { createMemory, type Memory } from '@mnemograph/client';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aiSdkModel, answered, called, streamed } from '../support/models/answering.ts';
import { saidIn } from '../support/models/said.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const memoryOf = async (userId: string): Promise<Memory> =>
  createMemory({ url: server.origin, token: await userToken(userId) });

/** On a busy machine, too. */
const timeout = 20_000;

/** Asks a model that calls a tool with this result, and then answers. */
async function askedWithTool({ memory, result, prompt, toolName = 'search' }: AskedWithTool) {
  const warn = vi.fn();
  const model = new MockLanguageModelV3({
    doGenerate: [called(toolName, {}), answered('Nothing was found.')],
  });
  const search = tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: () => result,
  });
  await generateText({
    model: withMemory(model, { memory, timeout, warn }),
    tools: { [toolName]: search },
    stopWhen: stepCountIs(3),
    prompt,
  });
  return warn.mock.calls.map(([message]) => String(message));
}
type AskedWithTool = { memory: Memory; result: string; prompt: string; toolName?: string };

it.each([
  ['empty', '', null],
  ['only a NUL', '\0', null],
  ['a text with a NUL and half a letter', 'a\0b\ud83d', 'ab\ufffd'],
])('an exchange is remembered when the result of a tool is %s', async (name, given, result) => {
  const memory = await memoryOf(`result-${name.length}`);
  expect(await askedWithTool({ memory, result: given, prompt: 'Is it\0 there\ud83d?' })).toEqual(
    [],
  );
  expect(await saidIn(memory)).toMatchObject([
    { role: 'USER', text: 'Is it there\ufffd?' },
    {
      text: 'Let me look.\n\nNothing was found.',
      toolCalls: [{ name: 'search', ok: true, result }],
    },
  ]);
});

it('an answer whose tool calls memory refuses is remembered without them, and the adapter says why each time', async () => {
  const memory = await memoryOf('gina');
  const asked = { memory, result: 'Nothing.', toolName: 'x'.repeat(201) };
  for (const prompt of ['Is it there?', 'And now?']) {
    const [warning, ...others] = await askedWithTool({ ...asked, prompt });
    expect(warning).toMatch(/refused.*without its tool calls.*toolCalls\.0\.name/);
    expect(warning).not.toContain('is away');
    expect(others).toEqual([]);
  }
  expect(await saidIn(memory)).toMatchObject(
    ['Is it there?', 'Nothing was found.', 'And now?', 'Nothing was found.'].map((text) => ({
      text: expect.stringContaining(text),
      toolCalls: [],
    })),
  );
});

it('what memory refuses without tool calls is told each time with the reason', async () => {
  const memory = await memoryOf('hugo');
  const warn = vi.fn();
  const model = withMemory(aiSdkModel('Hello.'), { memory, timeout, warn, channel: 'no channel' });
  for (const prompt of ['Hi.', 'Hi again.']) await generateText({ model, prompt });
  const stored = warn.mock.calls.filter(([message]) => /was not stored.*channel/.test(message));
  expect(stored).toHaveLength(2);
});

it('the blocks of a stream of the AI SDK are remembered on lines of their own', async () => {
  const memory = await memoryOf('gus');
  const block = (id: string, text: string) => [
    { type: 'text-start' as const, id },
    { type: 'text-delta' as const, id, delta: text.slice(0, 3) },
    { type: 'text-delta' as const, id, delta: text.slice(3) },
    { type: 'text-end' as const, id },
  ];
  const [start, ...end] = streamed().filter(({ type }) => !type.startsWith('text-'));
  const chunks = [
    ...(start ? [start] : []),
    ...block('1', 'I search the web.'),
    ...block('2', 'The price is 5.'),
    // A model may give each block the same name.
    ...block('2', 'It fell.'),
    ...end,
  ];
  const model = new MockLanguageModelV3({
    doStream: async () => ({ stream: simulateReadableStream({ chunks }) }),
  });
  await streamText({ model: withMemory(model, { memory, timeout }), prompt: 'What is it?' }).text;
  expect((await saidIn(memory)).map(({ text }) => text)).toEqual([
    'What is it?',
    'I search the web.\nThe price is 5.\nIt fell.',
  ]);
});
