/** A tensor of vectors, one row for each text. */
type Vectors = { dims: number[]; data: Float32Array };

/** How the vectors of a text's tokens are combined into one. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Turns texts into vectors. */
export type Extractor = (
  texts: string[],
  options: { pooling: Pooling; normalize: boolean },
) => Promise<Vectors>;

/** The part of `@huggingface/transformers` that we use. */
export type Transformers = {
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: {
      dtype: string;
      device: 'cpu';
      subfolder: string;
      local_files_only: boolean;
      session_options: { intraOpNumThreads: number };
    },
  ): Promise<Extractor>;
};
