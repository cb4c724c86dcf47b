import type { TurnInput } from '@mnemograph/client';
import type { Answer, Question } from './exchange.ts';

/** A part of a message, of an answer, or of a stream, as far as memory reads it; the same in the specifications v2 to v4. */
export type Part = {
  type: string;
  /** Of a stream: the block that it belongs to. */
  id?: string;
  text?: string;
  delta?: string;
  toolName?: string;
  /** Whether the provider runs the tool itself, so that the model goes on by itself. */
  providerExecuted?: boolean;
  output?: { type: string; value?: unknown };
};

/** The messages of a call. */
export type Prompt = readonly { role: string; content: string | readonly Part[] }[];

type ToolCall = NonNullable<TurnInput['toolCalls']>[number];

/** The most tool calls of a turn that memory stores. */
const CALLS = 50;

const partsOf = (content: string | readonly Part[]): readonly Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = (parts: readonly Part[]): string =>
  parts
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n');

/** What the user asked last. */
export function questionIn(prompt: Prompt): Question {
  const place = prompt.findLastIndex(({ role }) => role === 'user');
  const text = textOf(partsOf(prompt[place]?.content ?? '')).trim();
  // Results of tools that a browser runs, or that a person approves, come with another request.
  const isStored = prompt.slice(place + 1).some(({ role }) => role === 'tool');
  return { text, place, isNew: place === prompt.length - 1, isStored };
}

/**
 * What has been answered to the last message, in all calls for it: the parts that came now, and those in the prompt.
 * @returns null while the model waits for tools, or if it answered nothing in words
 */
export function answerIn(prompt: Prompt, came: readonly Part[]): Answer | null {
  const isWaiting = came.some(
    ({ type, providerExecuted }) => type === 'tool-call' && !providerExecuted,
  );
  if (isWaiting) return null;
  const before = prompt.slice(questionIn(prompt).place + 1);
  const spoken = before.flatMap(({ role, content }) =>
    role === 'assistant' ? [textOf(partsOf(content))] : [],
  );
  const text = [...spoken, textOf(came), streamedIn(came)].filter(Boolean).join('\n\n');
  const toolCalls = before.flatMap(({ content }) => partsOf(content).flatMap(toolCallOf));
  return text.trim() === '' ? null : { text, toolCalls: toolCalls.slice(-CALLS) };
}

/** What a stream brought in words, its blocks apart as those of an answer that came at once. */
function streamedIn(came: readonly Part[]): string {
  const blocks: string[] = [];
  const places = new Map<string | undefined, number>();
  for (const { type, id, delta = '' } of came) {
    if (type === 'text-start') places.delete(id);
    if (type !== 'text-delta') continue;
    const place = places.get(id) ?? blocks.length;
    places.set(id, place);
    blocks[place] = (blocks[place] ?? '') + delta;
  }
  return blocks.join('\n');
}

/** The result of a tool as memory stores it. */
function toolCallOf({ type, toolName, output }: Part): ToolCall[] {
  if (type !== 'tool-result' || toolName === undefined) return [];
  const { type: kind = '', value } = output ?? {};
  const result = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const ok = !kind.startsWith('error') && kind !== 'execution-denied';
  return [{ name: toolName, ok, result }];
}
