/** How long the page may be busy before work goes on all the same, in milliseconds. */
const BUSY = 1_000;

/** Waits until the page has nothing else to do, or a little in browsers that cannot tell. */
export const idle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: BUSY });
    else setTimeout(resolve, BUSY / 10);
  });
