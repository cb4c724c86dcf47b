import { Agent, request as httpRequest } from 'node:http';

/** Sends operations to one server over connections that stay open. */
export type GraphQLClient = Disposable & {
  /** The data of an operation. @throws when the server cannot be reached or answers with errors */
  request<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
};

type Answer = { data?: unknown; errors?: { message: string; extensions?: { code?: string } }[] };

/**
 * A client of little overhead: node:http takes about half the processor time of fetch, which
 * counts when client and server share two cores.
 */
export function createGraphQLClient(url: string, apiKey: string | null): GraphQLClient {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  };

  const post = (body: string) =>
    new Promise<string>((resolve, reject) => {
      const outgoing = httpRequest(
        url,
        {
          agent,
          method: 'POST',
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve(Buffer.concat(chunks).toString()));
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return {
    async request<Data>(query: string, variables: Record<string, unknown> = {}) {
      const text = await post(JSON.stringify({ query, variables }));
      const { data, errors } = JSON.parse(text) as Answer;
      if (errors) throw new Error(`The server answered ${JSON.stringify(errors)}`);
      return data as Data;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
