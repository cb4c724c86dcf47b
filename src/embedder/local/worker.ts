import { availableParallelism } from 'node:os';
import { importPackage } from '../../local-models/optional-package.ts';
import type { Progress } from '../../local-models/progress.ts';
import { serveModel } from '../../local-models/serve-model.ts';
import { fingerprint, type ModelSource } from './model-files.ts';
import type { Extractor, FetchEvent, Transformers } from './transformers.ts';

/** What the thread is started with. */
export type LocalEmbedderData = {
  /** Where to import `@huggingface/transformers` from. */
  packageUrl: string;
  /** Where fetched models are kept. */
  cacheDir: string;
  source: ModelSource;
  /** What its profile says of the vectors' length; null where that is not known. */
  dimension: number | null;
};

/** What is known of a model once it is loaded. */
export type LocalModelAbout = { dimension: number; fingerprint: string };

const SAMPLE = 'How many numbers does a vector hold?';

/** Bytes of all files that are being fetched. */
function addUp(fetched: (progress: Progress) => void): (event: FetchEvent) => void {
  const files = new Map<string, Progress>();
  return ({ status, file = '', loaded = 0, total = 0 }) => {
    if (status !== 'progress') return;
    files.set(file, { loaded, total });
    const all = [...files.values()];
    fetched({
      loaded: all.reduce((sum, one) => sum + one.loaded, 0),
      total: all.reduce((sum, one) => sum + one.total, 0),
    });
  };
}

async function loadExtractor(
  { packageUrl, cacheDir, source }: LocalEmbedderData,
  fetched: (progress: Progress) => void,
): Promise<Extractor> {
  const { env, pipeline } = await importPackage<Transformers>(packageUrl, 'pipeline');
  const isFolder = source.revision === null;
  env.cacheDir = cacheDir;
  env.allowRemoteModels = !isFolder;
  return pipeline('feature-extraction', source.path, {
    dtype: source.dtype,
    device: 'cpu',
    subfolder: source.subfolder,
    ...(source.revision === null ? {} : { revision: source.revision }),
    local_files_only: isFolder,
    // The others are the server's.
    session_options: { intraOpNumThreads: Math.max(1, availableParallelism() >> 1) },
    progress_callback: isFolder ? () => {} : addUp(fetched),
  });
}

/** One vector behind the other, of length 1. */
async function vectorsOf(
  extract: Extractor,
  texts: readonly string[],
  pooling: ModelSource['pooling'],
): Promise<{ dimension: number; values: Float32Array }> {
  const { dims, data } = await extract([...texts], { pooling, normalize: true });
  const [count, dimension = 0] = dims;
  if (dims.length !== 2 || count !== texts.length || dimension === 0) {
    throw new Error(
      `it answers ${texts.length} texts with a tensor of ${dims.join(' × ')}, not with a vector each: it is no sentence-transformer`,
    );
  }
  const values = Float32Array.from(data);
  if (!values.every(Number.isFinite)) throw new Error('its vectors hold what is no number');
  return { dimension, values };
}

await serveModel<LocalEmbedderData, readonly string[], Float32Array, LocalModelAbout>(
  async (data, fetched) => {
    const extract = await loadExtractor(data, fetched);
    const { pooling } = data.source;
    const { dimension } = await vectorsOf(extract, [SAMPLE], pooling);
    if (data.dimension !== null && data.dimension !== dimension) {
      throw new Error(
        `its vectors hold ${dimension} numbers, and those that its profile was measured with ${data.dimension}`,
      );
    }
    return {
      about: { dimension, fingerprint: await fingerprint(data.source) },
      run: async (texts) => (await vectorsOf(extract, texts, pooling)).values,
    };
  },
);
