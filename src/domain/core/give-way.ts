import { setImmediate } from 'node:timers/promises';

/** Lets requests and timers that are due go first: waits for one whole round of the event loop. */
export async function giveWay(): Promise<void> {
  // The first may come in the same round, before anything else.
  await setImmediate();
  await setImmediate();
}
