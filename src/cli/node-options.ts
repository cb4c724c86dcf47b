/** What the server wants of Node: little memory for what lives shortly, and regular expressions that stay as compiled. */
export const NODE_OPTIONS = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--heap-growing-percent=40',
  '--no-regexp-tier-up',
  '--disable-warning=DeprecationWarning',
] as const;
