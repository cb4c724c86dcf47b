/** The Node options of the server: a small heap for short-lived objects, and no recompilation of regular expressions. */
export const NODE_OPTIONS = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--heap-growing-percent=40',
  '--no-regexp-tier-up',
  '--disable-warning=DeprecationWarning',
] as const;
