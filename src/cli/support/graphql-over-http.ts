import { Agent, request as httpRequest } from 'node:http';

/** A GraphQL client for one server, with persistent connections. */
export type GraphQLClient = Disposable & {
  /** Sends an operation and returns its data. @throws OperationFailed when the server answers with errors, or Error when it cannot be reached */
  request<Data>(query: string, variables?: Record<string, unknown>): Promise<Data>;
};

type GraphQLErrors = { message: string; extensions?: { code?: string; retryable?: boolean } }[];

/** The server answered an operation with errors. */
export class OperationFailed extends Error {
  override readonly name = 'OperationFailed';
  readonly status: number;
  readonly errors: GraphQLErrors;
  constructor(status: number, errors: GraphQLErrors) {
    super(`The server answered ${JSON.stringify(errors)}`);
    this.status = status;
    this.errors = errors;
  }
}

/** The most characters of an unexpected answer that an error message quotes. */
const MAX_QUOTED = 200;

type Answer = { data?: unknown; errors?: GraphQLErrors };

/** Parses an answer. @throws Error with the status when it is not JSON, such as an answer of Node itself or of a proxy */
function parse(status: number, text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch (error) {
    throw new Error(`The server answered ${status} "${text.slice(0, MAX_QUOTED)}"`, {
      cause: error,
    });
  }
}

/**
 * Creates a client with little overhead: node:http takes about half the processor time of fetch, which matters when
 * client and server share two cores.
 */
export function createGraphQLClient(url: string, apiKey: string | null): GraphQLClient {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  };

  const post = (body: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
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
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
            }),
          );
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return {
    async request<Data>(query: string, variables: Record<string, unknown> = {}) {
      const { status, text } = await post(JSON.stringify({ query, variables }));
      const { data, errors } = parse(status, text);
      if (errors) throw new OperationFailed(status, errors);
      return data as Data;
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
