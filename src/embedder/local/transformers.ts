/** What a tensor of vectors holds: one row for each text. */
export type Vectors = { dims: number[]; data: Float32Array };

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Texts to vectors. */
export type Extractor = (
  texts: string[],
  options: { pooling: Pooling; normalize: boolean },
) => Promise<Vectors>;

/** A part of a file was fetched. */
export type FetchEvent = { status: string; file?: string; loaded?: number; total?: number };

/** What we use of `@huggingface/transformers`. */
export type Transformers = {
  env: { cacheDir: string; allowRemoteModels: boolean };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: {
      dtype: string;
      device: 'cpu';
      subfolder: string;
      revision?: string;
      local_files_only: boolean;
      session_options: { intraOpNumThreads: number };
      progress_callback: (event: FetchEvent) => void;
    },
  ): Promise<Extractor>;
};
