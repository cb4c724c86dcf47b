import type { ServerProcess } from '../support/server-process.ts';
import { checkIndexed } from './crash-test/check-indexed.ts';
import { checkMemories, readMemories } from './crash-test/round.ts';
import type { Sent } from './crash-test/send.ts';

/** Waits for the background work and compares everything with what was sent. @returns a line for each problem */
export async function checkSettled(
  server: ServerProcess,
  sent: readonly Sent[],
  random: () => number,
): Promise<string[]> {
  const late = await checkIndexed(server, sent, random);
  return [...late, ...checkMemories(await readMemories(server, sent), sent, true)];
}
