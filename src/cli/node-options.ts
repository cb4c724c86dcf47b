/**
 * The Node options of the server: a small heap for short-lived objects, no recompilation of regular expressions, and the
 * optimization of the embedded database's code only where it runs long, as later versions of Node do: a start would wait for it.
 */
export const NODE_OPTIONS = [
  '--max-semi-space-size=8',
  '--v8-pool-size=1',
  '--heap-growing-percent=40',
  '--no-regexp-tier-up',
  '--wasm-tiering-budget=13000000',
  '--disable-warning=DeprecationWarning',
] as const;

/**
 * Settings of the C library (glibc; others ignore them): by default it keeps freed memory in many pieces, a pool for each thread. With
 * these a server at rest takes 60-80 MB less. Pieces of 32 KB, which V8 takes to compile, are given back at once.
 */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
