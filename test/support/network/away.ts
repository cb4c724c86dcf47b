import { createMemory } from '@mnemograph/client';
import { vi } from 'vitest';

/** Options of an adapter whose memory is away, and what it warns of. */
export function memoryAway() {
  const warn = vi.fn();
  const memory = createMemory({ url: 'http://127.0.0.1:9', retries: 0 });
  return { options: { memory, warn, timeout: 5_000 }, warn };
}
