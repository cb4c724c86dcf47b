import { availableParallelism } from 'node:os';
import { importPackage } from '../../local-models/optional-package.ts';
import { serveModel } from '../../local-models/serve-model.ts';
import { fingerprint, type ModelFiles } from './model-files.ts';
import { bringFiles, type ModelSource } from './model-source.ts';
import type { Extractor, Transformers } from './transformers.ts';

/** The `workerData` of the thread. */
export type LocalEmbedderData = {
  /** The URL from which to import `@huggingface/transformers`. */
  packageUrl: string;
  source: ModelSource;
  /** The length of the vectors in its profile; null if unknown. */
  dimension: number | null;
};

/** What a loaded model reports about itself. */
export type LocalModelAbout = { dimension: number; fingerprint: string };

const SAMPLE = 'How many numbers does a vector hold?';

async function loadExtractor(
  packageUrl: string,
  { folder, dtype, subfolder }: ModelFiles,
): Promise<Extractor> {
  const { pipeline } = await importPackage<Transformers>(packageUrl, 'pipeline');
  return pipeline('feature-extraction', folder, {
    dtype,
    subfolder,
    device: 'cpu',
    local_files_only: true,
    // The other cores are left to the server.
    session_options: { intraOpNumThreads: Math.max(1, availableParallelism() >> 1) },
  });
}

/** Embeds texts: concatenated vectors of length 1. */
async function vectorsOf(
  extract: Extractor,
  texts: readonly string[],
  pooling: ModelFiles['pooling'],
): Promise<{ dimension: number; values: Float32Array }> {
  const { dims, data } = await extract([...texts], { pooling, normalize: true });
  const [count, dimension = 0] = dims;
  if (dims.length !== 2 || count !== texts.length || dimension === 0) {
    throw new Error(
      `it answers ${texts.length} texts with a tensor of ${dims.join(' × ')} instead of one vector each: it is not a sentence-transformer`,
    );
  }
  const values = Float32Array.from(data);
  if (!values.every(Number.isFinite))
    throw new Error('its vectors contain values that are not numbers');
  return { dimension, values };
}

await serveModel<LocalEmbedderData, readonly string[], Float32Array, LocalModelAbout>(
  async (data, fetched) => {
    const files = await bringFiles(data.source, fetched);
    const extract = await loadExtractor(data.packageUrl, files);
    const { pooling } = files;
    const { dimension } = await vectorsOf(extract, [SAMPLE], pooling);
    if (data.dimension !== null && data.dimension !== dimension) {
      throw new Error(
        `its vectors hold ${dimension} numbers, but its profile was measured with vectors of ${data.dimension}`,
      );
    }
    return {
      about: { dimension, fingerprint: await fingerprint(files) },
      run: async (texts) => (await vectorsOf(extract, texts, pooling)).values,
    };
  },
);
