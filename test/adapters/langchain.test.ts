import { memoryMiddleware } from '@mnemograph/adapters/langchain';
import { createMemory } from '@mnemograph/client';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { memoryAway } from '../support/network/away.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

it('an agent of LangChain is given what memory knows, once in a loop of tools, and both sides are remembered', async () => {
  const memory = createMemory({ url: server.origin });
  await memory.remember('I live in Porto and I am vegetarian.', { channel: 'sms' });
  await server.world.settle();
  const context = vi.spyOn(memory, 'context');
  const weather = tool(({ city }) => `rain in ${city}`, {
    name: 'weather',
    description: 'The weather.',
    schema: z.object({ city: z.string() }),
  });
  const model = fakeModel()
    .respondWithTools([{ name: 'weather', args: { city: 'Porto' } }])
    .respond(new AIMessage('It rains in Porto.'));
  const agent = createAgent({
    model,
    tools: [weather],
    systemPrompt: 'You are a guide.',
    middleware: [memoryMiddleware({ memory, timeout: 20_000 })],
  });
  const { messages } = await agent.invoke(ask('How is the weather at home?'));
  expect(messages.at(-1)?.text).toBe('It rains in Porto.');
  expect(context).toHaveBeenCalledTimes(1);
  expect(model.calls).toHaveLength(2);
  for (const { messages: sent } of model.calls) {
    expect(sent[0]?.text).toMatch(/^You are a guide\.\n\n<memory>[\s\S]*vegetarian/);
  }
  const { viewer } = await memory.request<{ viewer: object }>(
    '{ viewer { turns(first: 9) { edges { node { role text } } } } }',
  );
  expect(viewer).toMatchObject({
    turns: {
      edges: [
        { node: { role: 'USER' } },
        { node: { role: 'USER', text: 'How is the weather at home?' } },
        { node: { role: 'ASSISTANT', text: expect.stringMatching(/It rains in Porto\.$/) } },
      ],
    },
  });
});

it('an agent of LangChain goes on without memory when it is away, and the adapter warns once', async () => {
  const { options, warn } = memoryAway();
  const model = fakeModel().respond(new AIMessage('One.')).respond(new AIMessage('Two.'));
  const agent = createAgent({ model, tools: [], middleware: [memoryMiddleware(options)] });
  await agent.invoke(ask('Hi.'));
  const { messages } = await agent.invoke(ask('Hi again.'));
  expect(messages.at(-1)?.text).toBe('Two.');
  expect(warn).toHaveBeenCalledTimes(1);
});
