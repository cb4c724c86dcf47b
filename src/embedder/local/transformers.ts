/** What a tensor of vectors holds: one row for each text. */
type Vectors = { dims: number[]; data: Float32Array };

/** How the vectors of a text's tokens become one. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Texts to vectors. */
export type Extractor = (
  texts: string[],
  options: { pooling: Pooling; normalize: boolean },
) => Promise<Vectors>;

/** What we use of `@huggingface/transformers`. */
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
