import { type AgentOutputItem, type Model, Usage } from '@openai/agents-core';
import { MockLanguageModelV3 } from 'ai/test';
import { expect } from 'vitest';

// Stand-ins for models of the AI SDK and of OpenAI Agents, and what they answer.

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: 'stop' as const, raw: 'stop' };

/** An answer in the AI SDK. */
export const answered = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason,
  usage,
  warnings: [],
});

/** A tool call in the AI SDK. */
export const called = (toolName: string, input: object) => ({
  content: [
    { type: 'text' as const, text: 'Let me look.' },
    { type: 'tool-call' as const, toolCallId: '1', toolName, input: JSON.stringify(input) },
  ],
  finishReason: { unified: 'tool-calls' as const, raw: 'tool' },
  usage,
  warnings: [],
});

/** The parts of an answer that is streamed in the AI SDK. */
export const streamed = (...deltas: string[]) => [
  { type: 'stream-start' as const, warnings: [] },
  { type: 'text-start' as const, id: '1' },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
  { type: 'text-end' as const, id: '1' },
  { type: 'finish' as const, finishReason, usage },
];

/** A model of the AI SDK that always answers the same. */
export const aiSdkModel = (text: string) => new MockLanguageModelV3({ doGenerate: answered(text) });

/** A message of a model of OpenAI Agents. */
export const message = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

/** A model of OpenAI Agents that always answers the same. */
export const openaiAgentsModel = (text: string): Model => ({
  getResponse: async () => ({ usage: new Usage(), output: [message(text)] }),
  getStreamedResponse: () => expect.unreachable(),
});
