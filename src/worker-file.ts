import { constants, getPriority, setPriority } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { CODE_FOLDER } from './shared/code-folder.ts';

/** True when the server runs as JavaScript that was built, false when it runs from its TypeScript sources. */
export const IS_BUILT = !import.meta.url.endsWith('.ts');

/**
 * Starts a worker thread from a module, built or from the sources.
 * @param module below the folder of the code and without its extension, such as `language-threads/serve`
 */
export function startWorkerFile(module: string, options: WorkerOptions): Worker {
  const address = new URL(`${module}.${IS_BUILT ? 'js' : 'ts'}`, CODE_FOLDER);
  if (IS_BUILT) return new Worker(address, options);
  // In Node 20 a worker thread inherits neither the loader of `--import tsx` nor Vitest's, so it registers tsx itself.
  // Not tsx/cjs: in CommonJS every use of an imported constant calls a getter, which makes the model 1.4 times as slow.
  const tsx = import.meta.resolve('tsx/esm/api');
  const source = `import('${tsx}').then(({ register }) => { register(); return import('${address}'); })`;
  return new Worker(source, { ...options, eval: true });
}

/**
 * Lowers the priority of this thread, and of those that it starts later, below that of the process. Only on Linux: on other
 * systems it would change the priority of the whole process.
 * @param niceness added to the nice value, 0-19
 */
export function lowerPriority(niceness: number): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
}
