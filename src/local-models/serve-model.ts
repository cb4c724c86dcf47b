import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { lowerPriority } from '../worker-file.ts';
import { type Progress, reportNowAndThen } from './progress.ts';

/** The functions of a model's thread that the server calls. */
export type ModelFunctions<Input, Output> = {
  run(id: number, input: Input): Promise<Output>;
  cancel(id: number): void;
};

/** The events that a model's thread sends to the server. */
export type ModelEvents<About> = {
  loaded(about: About): void;
  failed(reason: string): void;
  /** More of the model's files was downloaded. */
  fetched(progress: Progress): void;
};

/** A loaded model, and its properties. */
export type LoadedModel<Input, Output, About> = {
  about: About;
  run(input: Input, signal: AbortSignal): Promise<Output>;
};

/** The niceness of a model's thread, so that the server's own threads run first. */
const NICENESS = 5;
/** The most characters of a reason: the message of a library can be pages long. */
const LONGEST_REASON = 500;

/** Loads the model of this thread, then serves the server's calls. Sends `failed` if the model cannot be loaded. */
export async function serveModel<Data, Input, Output, About>(
  load: (
    data: Data,
    fetched: (progress: Progress) => void,
  ) => Promise<LoadedModel<Input, Output, About>>,
): Promise<void> {
  const port = parentPort;
  if (!port) return;
  lowerPriority(NICENESS);
  const running = new Map<number, AbortController>();
  let model: LoadedModel<Input, Output, About> | null = null;
  const server = createBirpc<ModelEvents<About>, ModelFunctions<Input, Output>>(
    {
      async run(id, input) {
        if (!model) throw new Error('The model is not loaded yet.');
        const controller = new AbortController();
        running.set(id, controller);
        try {
          return await model.run(input, controller.signal);
        } finally {
          running.delete(id);
        }
      },
      cancel: (id) => running.get(id)?.abort(),
    },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      eventNames: ['loaded', 'failed', 'fetched'],
      timeout: -1,
    },
  );
  try {
    const report = reportNowAndThen((progress) => void server.fetched.asEvent(progress));
    model = await load(workerData as Data, report);
    void server.loaded.asEvent(model.about);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void server.failed.asEvent(reason.slice(0, LONGEST_REASON));
  }
}
