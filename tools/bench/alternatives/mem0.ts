import { createScratchDatabase } from '../../support/scratch-database.ts';
import type { Installed } from './install.ts';
import { DIMENSION, type Embed, type Store } from './store.ts';

type Mem0 = {
  vectorStore: { close(): Promise<void> };
  _entityStore?: { close(): Promise<void> };
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
  embed: Embed,
): Promise<Store> {
  // The library reads these when it is loaded.
  // biome-ignore lint/style/noProcessEnv: it has no option for it
  Object.assign(process.env, { MEM0_TELEMETRY: 'false', MEM0_DIR: installed.folder });
  const database = await createScratchDatabase(databaseUrl);
  const { Memory } = await installed.load<Module>('mem0ai/oss');
  const embedQuery = async (text: string) => (await embed([text]))[0];
  const memory = new Memory({
    embedder: {
      provider: 'langchain',
      config: {
        model: { embedQuery, embedDocuments: embed },
        embeddingDims: DIMENSION,
      },
    },
    vectorStore: {
      provider: 'pgvector',
      config: {
        connectionString: database.url,
        collectionName: 'memories',
        embeddingModelDims: DIMENSION,
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
    async [Symbol.asyncDispose]() {
      // It has no method to close it.
      for (const open of [memory.vectorStore, memory._entityStore]) await open?.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
