import { withMemory } from '@mnemograph/adapters/ai-sdk';
import { memoryMiddleware } from '@mnemograph/adapters/langchain';
import { memoryFilter, remembering } from '@mnemograph/adapters/openai-agents';
import { createMemory, type MemoryOptions } from '@mnemograph/client';
import { Agent, MemorySession, Runner } from '@openai/agents-core';
import { generateText } from 'ai';
import { AIMessage, createAgent, fakeModel } from 'langchain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adapterExamples } from '../support/client/client-examples.ts';
import { aiSdkModel, openaiAgentsModel } from '../support/models/answering.ts';
import { runExample } from '../support/run-example.ts';
import { createTestServer, OPEN, type TestServer } from '../support/server.ts';

const examples = await adapterExamples();
const ANSWER = 'At the tempeh place.';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer(OPEN);
  // The first answer of a server takes longer than an adapter waits on a busy machine.
  await createMemory({ url: server.origin }).context('Hello?', { channel: 'sms' });
});
afterAll(() => server[Symbol.asyncDispose]());

const runner = new Runner({ tracingDisabled: true });

/** What the examples import, with models that answer always the same. */
const given = {
  createMemory: (options: MemoryOptions) => createMemory({ ...options, url: server.origin }),
  ...{ withMemory, memoryMiddleware, memoryFilter, remembering, generateText, MemorySession },
  openai: () => aiSdkModel(ANSWER),
  createAgent: (options: object) =>
    createAgent({ ...options, model: fakeModel().respond(new AIMessage(ANSWER)) }),
  Agent: class extends Agent {
    constructor({ name }: { name: string }) {
      super({ name, model: openaiAgentsModel(ANSWER) });
    }
  },
  run: runner.run.bind(runner),
};

it.each(examples.map(({ title, code }) => [title, code]))(
  '%s runs as it stands, and is remembered',
  async (_title, code) => {
    expect(await runExample(code, given)).toBe(ANSWER);
    const { body } = await server.post({
      query: '{ viewer { turns(last: 2) { edges { node { role text } } } } }',
    });
    const text = expect.stringContaining('Where shall we eat');
    expect(body.data).toMatchObject({
      viewer: {
        turns: {
          edges: [{ node: { role: 'USER', text } }, { node: { role: 'ASSISTANT', text: ANSWER } }],
        },
      },
    });
  },
);

it('every adapter has an example', () => {
  const all = examples.map(({ code }) => code).join('\n');
  for (const name of ['ai-sdk', 'langchain', 'openai-agents']) {
    expect(all).toContain(`from '@mnemograph/adapters/${name}';`);
  }
});
