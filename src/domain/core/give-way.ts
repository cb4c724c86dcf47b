import { setImmediate } from 'node:timers/promises';

const waiting: (() => void)[] = [];
let isRunning = false;

/**
 * Lets requests and timers that are due go first: waits for one whole round of the event loop. Only one of those who wait goes
 * on in each round, in order, so that thirty long tasks that begin together do not run as one.
 */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isRunning) void letThemGo();
  });
}

async function letThemGo(): Promise<void> {
  isRunning = true;
  for (;;) {
    // The first may come in the same round, before anything else.
    await setImmediate();
    await setImmediate();
    const next = waiting.shift();
    if (!next) break;
    next();
  }
  isRunning = false;
}
