import { createScratchDatabase } from '../../support/scratch-database.ts';
import type { Installed } from './install.ts';
import { DIMENSION, type Embed, type Store } from './store.ts';

type PostgresStore = {
  setup(): Promise<void>;
  stop(): Promise<void>;
  put(namespace: string[], key: string, value: { text: string }): Promise<void>;
  search(
    namespace: string[],
    options: { query: string; limit: number; mode: 'hybrid' },
  ): Promise<{ value: { text: string } }[]>;
};
type Module = {
  PostgresStore: { fromConnString(url: string, options: object): PostgresStore };
};

/** The store of LangGraph on pgvector, searched by vectors and words together ("hybrid"). */
export async function openLangGraph(
  installed: Installed,
  databaseUrl: string,
  embed: Embed,
): Promise<Store> {
  const database = await createScratchDatabase(databaseUrl);
  const { PostgresStore } = await installed.load<Module>(
    '@langchain/langgraph-checkpoint-postgres/store',
  );
  const store = PostgresStore.fromConnString(database.url, {
    index: {
      dims: DIMENSION,
      embed,
      fields: ['text'],
    },
  });
  await store.setup();
  let count = 0;
  return {
    name: 'LangGraph',
    add: (userId, text) => {
      count += 1;
      return store.put([userId, 'turns'], String(count), { text });
    },
    settled: async () => {},
    find: async (userId, query, first) => {
      const hits = await store.search([userId], { query, limit: first, mode: 'hybrid' });
      return hits.map(({ value }) => value.text);
    },
    async [Symbol.asyncDispose]() {
      await store.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}
