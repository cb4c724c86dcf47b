import { memoryFilter, remembering } from '@mnemograph/adapters/openai-agents';
import { createMemory } from '@mnemograph/client';
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  type Session,
  tool,
  Usage,
} from '@openai/agents-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { message } from '../support/models/answering.ts';
import { memoryAway } from '../support/network/away.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const call: AgentOutputItem = {
  type: 'function_call',
  callId: '1',
  name: 'weather',
  status: 'completed',
  arguments: '{"city":"Porto"}',
};

/** A model that answers with these outputs, one after the other, and keeps what it was sent. */
function modelOf(...outputs: AgentOutputItem[]) {
  const requests: ModelRequest[] = [];
  const model: Model = {
    async getResponse(request) {
      requests.push(request);
      return { usage: new Usage(), output: [outputs[requests.length - 1] ?? message('')] };
    },
    getStreamedResponse: () => expect.unreachable(),
  };
  return { model, requests };
}

const runner = new Runner({ tracingDisabled: true });
const weather = tool({
  name: 'weather',
  description: 'The weather.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});

/** A session that has no transactions: items are only added to it. */
function plainSession(): Session {
  const items: AgentInputItem[] = [];
  return {
    getSessionId: async () => 'plain',
    getItems: async () => items,
    addItems: async (added) => void items.push(...added),
    popItem: async () => items.pop(),
    clearSession: async () => void items.splice(0),
  };
}

it.each([
  ['with transactions', 'ada', () => new MemorySession()],
  ['without transactions', 'bob', plainSession],
])(
  'a session of the OpenAI Agents SDK %s is remembered, and its model is given what memory knows',
  async (_how, userId, create) => {
    const memory = createMemory({ url: server.origin, token: await userToken(userId) });
    await memory.remember('I live in Porto and I am vegetarian.', { channel: 'sms' });
    await server.world.settle();
    const context = vi.spyOn(memory, 'context');
    const options = { memory, timeout: 20_000 };
    const { model, requests } = modelOf(call, message('It rains in Porto.'), message('Always.'));
    const agent = new Agent({
      name: 'guide',
      instructions: 'You are a guide.',
      model,
      tools: [weather],
    });
    const session = remembering(create(), options);
    const callModelInputFilter = memoryFilter(options);
    const { finalOutput } = await runner.run(agent, 'How is the weather at home?', {
      session,
      callModelInputFilter,
    });
    expect(finalOutput).toBe('It rains in Porto.');
    expect(context).toHaveBeenCalledTimes(1);
    await runner.run(agent, 'How often?', { session, callModelInputFilter });
    expect(context).toHaveBeenCalledTimes(2);
    for (const { systemInstructions } of requests) {
      expect(systemInstructions).toMatch(/^You are a guide\.\n\n<memory>[\s\S]*vegetarian/);
    }
    const items = await session.getItems();
    expect(items.map((item) => item.type)).toEqual([
      'message',
      'function_call',
      'function_call_result',
      'message',
      'message',
      'message',
    ]);
    expect(JSON.stringify(items)).not.toContain('vegetarian');
    const { viewer } = await memory.request<{ viewer: object }>(
      '{ viewer { turns(first: 9) { edges { node { role text } } } } }',
    );
    expect(viewer).toMatchObject({
      turns: {
        edges: [
          { node: { text: 'I live in Porto and I am vegetarian.' } },
          { node: { role: 'USER', text: 'How is the weather at home?' } },
          { node: { role: 'ASSISTANT', text: 'It rains in Porto.' } },
          { node: { role: 'USER', text: 'How often?' } },
          { node: { role: 'ASSISTANT', text: 'Always.' } },
        ],
      },
    });
  },
);

it('an agent of the OpenAI Agents SDK goes on without memory when it is away, and the adapter warns once', async () => {
  const { options, warn } = memoryAway();
  const { model } = modelOf(message('One.'), message('Two.'));
  const agent = new Agent({ name: 'guide', model });
  const session = remembering(new MemorySession(), options);
  await runner.run(agent, 'Hi.', { session });
  expect((await runner.run(agent, 'Hi again.', { session })).finalOutput).toBe('Two.');
  expect(warn).toHaveBeenCalledTimes(1);
});
