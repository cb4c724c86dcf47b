import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Whether this runs as built JavaScript, or from the sources. */
export const IS_BUILT = !import.meta.url.endsWith('.ts');

/**
 * Starts a thread from a module.
 * @param file the module without its extension, as `new URL('./my-worker', import.meta.url)`
 */
export function startWorkerFile(file: URL, options: WorkerOptions): Worker {
  const module = new URL(`${file.href}.${IS_BUILT ? 'js' : 'ts'}`);
  if (IS_BUILT) return new Worker(module, options);
  // From the sources: Node 20 gives a thread neither the loader of `--import tsx` nor Vitest's. Not tsx/cjs: as CommonJS
  // every use of an imported constant is a getter, and the model takes 1.4 times as long.
  const tsx = import.meta.resolve('tsx/esm/api');
  const source = `import('${tsx}').then(({ register }) => { register(); return import('${module}'); })`;
  return new Worker(source, { ...options, eval: true });
}
