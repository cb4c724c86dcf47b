import { setImmediate } from 'node:timers/promises';

const waiting: (() => void)[] = [];
/** Whether long work has gone on in this round of the event loop. */
let isTaken = false;

/** Waits for one whole round of the event loop. */
async function wholeRound(): Promise<void> {
  // The first may come in the same round, before anything else.
  await setImmediate();
  await setImmediate();
}

/**
 * Waits for a round of the event loop in which no other long work has gone on: this one, or one of the next, in order. So
 * thirty long tasks that begin together do not run as one.
 */
export function ownRound(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isTaken) void letThemGo();
  });
}

async function letThemGo(): Promise<void> {
  isTaken = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    next();
    await wholeRound();
  }
  isTaken = false;
}

/** Lets requests and timers that are due go first, and then waits for a round without other long work. */
export async function giveWay(): Promise<void> {
  await wholeRound();
  await ownRound();
}
