import type { Memory, MemoryEvent } from '@mnemograph/client';

/** Reads so many items of a stream, and ends it. */
export async function some<T>(stream: AsyncGenerator<T>, count: number): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) if (items.push(item) === count) break;
  return items;
}

export const say = (memory: Memory, text: string) => memory.remember(text, { channel: 'sms' });

export const wordsOf = (events: MemoryEvent[]) =>
  events.flatMap(({ turns }) => turns.map(({ text }) => text));
