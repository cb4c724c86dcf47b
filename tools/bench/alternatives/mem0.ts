import { createScratchDatabase } from '../../support/scratch-database.ts';
import type { Installed } from './install.ts';
import { type Store, type Vectors, vectorOf } from './store.ts';

type Mem0 = {
  add(text: string, options: { userId: string; infer: boolean }): Promise<unknown>;
  search(
    query: string,
    options: { filters: { user_id: string }; topK: number; threshold: number },
  ): Promise<{ results: { memory: string }[] }>;
};
type Module = { Memory: new (config: object) => Mem0 };

/** mem0 on pgvector, which keeps each text as it is ("infer: false"): no model is asked. */
export async function openMem0(
  installed: Installed,
  databaseUrl: string,
  vectors: Vectors,
): Promise<Store> {
  // The library reads these when it is loaded.
  // biome-ignore lint/style/noProcessEnv: it has no option for it
  Object.assign(process.env, { MEM0_TELEMETRY: 'false', MEM0_DIR: installed.folder });
  const database = await createScratchDatabase(databaseUrl);
  const { Memory } = await installed.load<Module>('mem0ai/oss');
  const embedQuery = async (text: string) => vectorOf(vectors, text);
  const dimension = [...vectors.values()][0]?.length;
  const memory = new Memory({
    embedder: {
      provider: 'langchain',
      config: {
        model: {
          embedQuery,
          embedDocuments: (texts: string[]) => Promise.all(texts.map(embedQuery)),
        },
        embeddingDims: dimension,
      },
    },
    vectorStore: {
      provider: 'pgvector',
      config: {
        connectionString: database.url,
        collectionName: 'memories',
        embeddingModelDims: dimension,
        hnsw: true,
      },
    },
    llm: { provider: 'openai', config: { apiKey: 'is not used' } },
    disableHistory: true,
  });
  return {
    name: 'mem0',
    add: async (userId, text) => void (await memory.add(text, { userId, infer: false })),
    settled: async () => {},
    find: async (userId, query, first) => {
      const options = { filters: { user_id: userId }, topK: first, threshold: 0 };
      return (await memory.search(query, options)).results.map((hit) => hit.memory);
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
