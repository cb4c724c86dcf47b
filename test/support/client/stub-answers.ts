import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemory, type MemoryOptions } from '@mnemograph/client';
import { afterEach } from 'vitest';

export type Answer = (response: ServerResponse) => unknown;
export type Asked = {
  at: number;
  path: string | undefined;
  authorization: string | undefined;
  body: { variables: never };
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that gives these answers, one after the other, and then the last one for ever. */
export async function stub(answers: Answer[], options: Partial<MemoryOptions> = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    asked.push({
      at: performance.now(),
      path: request.url,
      authorization: request.headers.authorization,
      body: JSON.parse((await textOf(request)) || '{}'),
    });
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, memory: createMemory({ url: `http://127.0.0.1:${port}`, ...options }) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

export const json =
  (status: number, body: unknown, headers = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
export const refused = (status: number, code: string, more = {}, headers = {}): Answer =>
  json(status, { errors: [{ message: `It is ${code}.`, extensions: { code, ...more } }] }, headers);
export const hangUp: Answer = (response) => response.destroy();
