import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
export type ModelRequest = {
  path: string;
  headers: IncomingMessage['headers'];
  body: {
    model: string;
    messages?: { role: string; content: string }[];
    response_format?: { type: string; json_schema?: { name: string; schema: object } };
    temperature?: number;
    input?: string[];
    dimensions?: number;
  };
};

/** The reply of the server to a request. */
export type ModelReply =
  | { kind: 'chat'; content: string; finish?: string; usage?: Partial<ModelUsage> }
  | { kind: 'vectors'; vectors: number[][]; tokens?: number }
  | {
      kind: 'status';
      status: number;
      headers?: Record<string, string>;
      error?: object;
      body?: string;
    }
  | { kind: 'hang' }
  | { kind: 'hang-in-body' }
  | { kind: 'cut' }
  | { kind: 'cut-in-body' };
export type ModelUsage = { prompt: number; completion: number; cached: number };

/** An OpenAI-compatible server over real HTTP, with the replies that a test defines. */
export type ModelServer = AsyncDisposable & {
  baseUrl: string;
  /** Every request so far. */
  requests: ModelRequest[];
  /** Returns the reply to a request. Tests set it. */
  answer: (request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>;
};

/** Returns a chat completion with this content; an object becomes JSON. */
export const chat = (content: unknown, usage: Partial<ModelUsage> = {}): ModelReply => ({
  kind: 'chat',
  content: typeof content === 'string' ? content : JSON.stringify(content),
  usage,
});

/** Returns an error reply. */
export const refuse = (
  status: number,
  error: object = {},
  headers: Record<string, string> = {},
): ModelReply => ({ kind: 'status', status, error, headers });

/** Returns a unit vector that depends only on the text. */
export function vectorOf(text: string, dimension: number): number[] {
  const values = Array.from({ length: dimension }, (_, index) => {
    let hash = index + 1;
    for (const word of text.toLowerCase().split(/\W+/)) {
      for (const letter of word) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
    }
    return Math.sin(hash);
  });
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Starts the server. It replies with what `answer` returns. */
export async function startModelServer(answer: ModelServer['answer']): Promise<ModelServer> {
  const responses = new Set<ServerResponse>();
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received: ModelRequest = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
    };
    server.requests.push(received);
    const reply = await server.answer(received, server.requests.length - 1);
    responses.add(response);
    send(response, reply, received);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: ModelServer = {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests: [],
    answer,
    async [Symbol.asyncDispose]() {
      for (const response of responses) response.destroy();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

function send(response: ServerResponse, reply: ModelReply, { body }: ModelRequest): void {
  const json = (status: number, content: object, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(content));
  switch (reply.kind) {
    case 'hang':
      return;
    case 'hang-in-body':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      return;
    case 'cut':
      response.socket?.destroy();
      return;
    case 'cut-in-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":', () => response.socket?.destroy());
      return;
    case 'status':
      if (reply.body !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
      else json(reply.status, { error: reply.error ?? {} }, reply.headers);
      return;
    case 'vectors':
      json(200, {
        object: 'list',
        model: body.model,
        data: reply.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
        usage: { prompt_tokens: reply.tokens ?? 0, total_tokens: reply.tokens ?? 0 },
      });
      return;
    case 'chat': {
      const { prompt = 0, completion = 0, cached = 0 } = reply.usage ?? {};
      json(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model: body.model,
        choices: [
          {
            index: 0,
            finish_reason: reply.finish ?? 'stop',
            message: { role: 'assistant', content: reply.content, refusal: null },
          },
        ],
        usage: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
          prompt_tokens_details: { cached_tokens: cached },
        },
      });
    }
  }
}
