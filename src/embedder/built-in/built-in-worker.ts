import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createPreference } from '../../domain/core/preference.ts';
import { COUNTS } from '../../observability/load.ts';
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
/** Queries, then batches of few texts, then longer ones. */
type Queue = 'query' | 'few' | 'many';

/**
 * The niceness of this thread. It also applies to queries, since a thread may not raise its own priority again, and so
 * it is small: of a contested core the server gets three quarters and this thread one.
 */
const NICENESS = 5;

/** While the server handles requests, a batch pauses for this many times as long as it works. */
const REST = 4;
/** The longest pause in milliseconds: on a busy machine a piece takes longer, but no more work. */
const LONGEST_REST = 60;
/** A pause ends when the server has handled no request for this long, in milliseconds. */
const QUIET = 10;

/** The most texts of a batch that goes before longer ones: somebody's new fact may wait for it. */
const FEW = 8;
/** After this many pieces of such batches, one of a longer batch goes first. */
const FEW_BEFORE_MANY = 4;

/** Answers embedding requests on the port: queries first, then batches, piece by piece; those of one queue take turns. */
function serve(port: NonNullable<typeof parentPort>, requests: Int32Array): void {
  const embedTexts = createEmbedTexts();
  const tasks: Record<Queue, Task[]> = { query: [], few: [], many: [] };
  const isManysTurn = createPreference(FEW_BEFORE_MANY);
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

  const wait = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      endRest = resolve;
      setTimeout(resolve, milliseconds);
    });
  const inProgress = () => Atomics.load(requests, COUNTS.inProgress);
  /** Waits, but only until a query arrives, or the server is quiet. */
  const rest = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0 && tasks.query.length === 0; left -= QUIET) {
      const begun = Atomics.load(requests, COUNTS.begun);
      await wait(Math.min(QUIET, left));
      if (inProgress() === 0 && Atomics.load(requests, COUNTS.begun) === begun) return;
    }
  };

  const next = (): Task[] => {
    if (tasks.query.length > 0) return tasks.query;
    return isManysTurn(tasks.few.length > 0, tasks.many.length > 0) ? tasks.many : tasks.few;
  };

  const run = async () => {
    if (running) return;
    running = true;
    for (let queue = next(); queue.length > 0; queue = next()) {
      const task = queue.shift() as Task;
      const started = performance.now();
      if (advance(task)) queue.push(task);
      // New messages are received between two pieces.
      await turn();
      const givesWay = queue !== tasks.query && tasks.query.length === 0 && inProgress() > 0;
      if (givesWay) await rest(Math.min(LONGEST_REST, REST * (performance.now() - started)));
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
    const { id, texts, priority } = request;
    const queue = priority === 'query' ? 'query' : texts.length <= FEW ? 'few' : 'many';
    tasks[queue].push({ id, steps: embedTexts(texts) });
    if (queue === 'query') endRest();
    void run();
  });
  for (const _ of embedTexts(['The first pass compiles the code, before anybody waits for it.']));
}

lowerPriority(NICENESS);
if (parentPort) serve(parentPort, new Int32Array(workerData as SharedArrayBuffer));
