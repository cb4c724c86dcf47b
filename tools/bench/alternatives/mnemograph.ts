import { untilSettled } from '../../../src/cli/support/memory-client.ts';
import { BUILT_IN_MODEL } from '../../../src/domain/core/embedding-profile.ts';
import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import type { Embed, Store } from './store.ts';

const REMEMBER = `mutation Remember($input: RememberInput!) {
  remember(input: $input) { __typename ... on Error { message } }
}`;
const RECALL = `query Recall($input: RecallInput!) {
  recall(input: $input) {
    __typename
    ... on RecallPayload { hits { ... on TurnHit { turn { text } } } }
    ... on Error { message }
  }
}`;
type Remembered = { remember: { __typename: string } };
type Recalled = { recall: { __typename: string; hits: { turn?: { text: string } }[] } };

/** This server over HTTP, with everything that it derives in the background. It makes the vectors of turns itself. */
export async function openMnemograph(
  databaseUrl: string,
  embed: Embed,
): Promise<Store & { server: ServerProcess }> {
  const server = await startServerProcess({ databaseUrl });
  return {
    server,
    name: 'Mnemograph',
    add: async (userId, text) => {
      const input = { userId, turns: [{ text }] };
      const { remember } = await server.request<Remembered>(REMEMBER, { input });
      if (remember.__typename !== 'RememberPayload') throw new Error(JSON.stringify(remember));
    },
    settled: (userIds) => untilSettled(server, userIds),
    find: async (userId, query, first) => {
      const [values] = await embed([query]);
      const vector = { embedder: BUILT_IN_MODEL, values };
      const input = { userId, query, first, vector, kinds: ['TURN'] };
      const { recall } = await server.request<Recalled>(RECALL, { input });
      if (recall.__typename !== 'RecallPayload') throw new Error(JSON.stringify(recall));
      return recall.hits.flatMap(({ turn }) => turn?.text ?? []);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
