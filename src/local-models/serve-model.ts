import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { type Progress, tellNowAndThen } from './progress.ts';

/** What a model's thread does for the server. */
export type ModelFunctions<Input, Output> = {
  run(id: number, input: Input): Promise<Output>;
  cancel(id: number): void;
};

/** What the server is told. */
export type ModelEvents<About> = {
  loaded(about: About): void;
  failed(reason: string): void;
  /** A part of its files was fetched. */
  fetched(progress: Progress): void;
};

/** A model that is loaded, and what there is to know about it. */
export type LoadedModel<Input, Output, About> = {
  about: About;
  run(input: Input, signal: AbortSignal): Promise<Output>;
};

/** The server's own threads go first. On Linux it lowers this thread and those it starts; elsewhere the whole process. */
const NICENESS = 5;
/** A library's own words may go on for pages. */
const LONGEST_REASON = 500;

/** Loads the model of this thread and does what the server asks of it. */
export async function serveModel<Data, Input, Output, About>(
  load: (
    data: Data,
    fetched: (progress: Progress) => void,
  ) => Promise<LoadedModel<Input, Output, About>>,
): Promise<void> {
  const port = parentPort;
  if (!port) return;
  if (process.platform === 'linux') setPriority(0, NICENESS);
  const underWay = new Map<number, AbortController>();
  let model: LoadedModel<Input, Output, About> | null = null;
  const server = createBirpc<ModelEvents<About>, ModelFunctions<Input, Output>>(
    {
      async run(id, input) {
        if (!model) throw new Error('The model is not loaded yet.');
        const ending = new AbortController();
        underWay.set(id, ending);
        try {
          return await model.run(input, ending.signal);
        } finally {
          underWay.delete(id);
        }
      },
      cancel: (id) => underWay.get(id)?.abort(),
    },
    {
      post: (message) => port.postMessage(message),
      on: (listener) => port.on('message', listener),
      eventNames: ['loaded', 'failed', 'fetched'],
      timeout: -1,
    },
  );
  try {
    const tell = tellNowAndThen((progress) => void server.fetched.asEvent(progress));
    model = await load(workerData as Data, tell);
    void server.loaded.asEvent(model.about);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void server.failed.asEvent(reason.slice(0, LONGEST_REASON));
  }
}
