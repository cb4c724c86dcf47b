import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../worker-file.ts';
import type { Priority } from '../core/embedder.ts';
import { createEmbedTexts } from './use-embed.ts';

/** A message to the thread. */
export type Request =
  | { type: 'embed'; id: number; texts: readonly string[]; priority: Priority }
  | { type: 'cancel'; id: number };

/** The reply to each `embed` that was not cancelled; the vectors are concatenated. */
export type Reply = { id: number; vectors: Float32Array } | { id: number; error: unknown };

type Task = { id: number; steps: Generator<void, Float32Array<ArrayBuffer>> };

/**
 * The niceness of this thread. It also applies to queries, since a thread may not raise its own priority again, and so
 * it is small: of a contested core the server gets three quarters and this thread one.
 */
const NICENESS = 5;

/** While the server handles requests, a batch pauses for this many times as long as it works. */
const REST = 4;

/** Answers embedding requests on the port: queries first, and the tasks of one priority in turns, piece by piece. */
function serve(port: NonNullable<typeof parentPort>, requests: Int32Array): void {
  const embedTexts = createEmbedTexts();
  const tasks: Record<Priority, Task[]> = { query: [], batch: [] };
  let running = false;
  let endRest = () => {};

  const reply = (message: Reply, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);

  /** Embeds the next piece of a task. @returns whether there is more to do */
  const advance = ({ id, steps }: Task): boolean => {
    try {
      const { done, value } = steps.next();
      if (done) reply({ id, vectors: value }, [value.buffer]);
      return !done;
    } catch (error) {
      reply({ id, error });
      return false;
    }
  };

  /** Waits, but only until a query arrives. */
  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      endRest = resolve;
      setTimeout(resolve, milliseconds);
    });

  const next = () => (tasks.query.length > 0 ? tasks.query : tasks.batch);

  const run = async () => {
    if (running) return;
    running = true;
    for (let queue = next(); queue.length > 0; queue = next()) {
      const task = queue.shift() as Task;
      const started = performance.now();
      if (advance(task)) queue.push(task);
      // New messages are received between two pieces.
      await turn();
      const givesWay =
        queue === tasks.batch && tasks.query.length === 0 && Atomics.load(requests, 0) > 0;
      if (givesWay) await rest(REST * (performance.now() - started));
    }
    running = false;
  };

  const cancel = (id: number) => {
    for (const queue of Object.values(tasks)) {
      const index = queue.findIndex((task) => task.id === id);
      if (index >= 0) queue.splice(index, 1);
    }
  };

  port.on('message', (request: Request) => {
    if (request.type === 'cancel') return cancel(request.id);
    tasks[request.priority].push({ id: request.id, steps: embedTexts(request.texts) });
    if (request.priority === 'query') endRest();
    void run();
  });
  for (const _ of embedTexts(['The first pass compiles the code, before anybody waits for it.']));
}

lowerPriority(NICENESS);
if (parentPort) serve(parentPort, new Int32Array(workerData as SharedArrayBuffer));
