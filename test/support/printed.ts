import { vi } from 'vitest';

/** Runs the work of a tool in this process. Returns what it prints, and the result in its last line. */
export async function printedBy(work: () => Promise<void>) {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line = '') => void lines.push(line));
  try {
    await work();
  } finally {
    log.mockRestore();
  }
  return { printed: lines.join('\n'), result: JSON.parse(lines.at(-1) ?? '') };
}
