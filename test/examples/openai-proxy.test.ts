import { readFile } from 'node:fs/promises';
import { createServer, get, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemory } from '@mnemograph/client';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RunningExample, runExampleFile } from '../support/example.ts';
import { keyFor } from '../support/keys.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { userToken } from '../support/world.ts';

type Asked = { path: string; headers: IncomingHttpHeaders; body: { messages: Message[] } };
type Message = { role: string; content: string };

const WORDS = ['Try ', 'the tempeh', ' place, ', 'Ada — äöü.'];
const ANSWER = WORDS.join('');

let server: TestServer;
let model: Server;
let upstream: string;
let asked: Asked[] = [];
/** Lets the model go on in the middle of a stream. */
let goOn: () => void = () => {};
beforeAll(async () => {
  server = await createTestServer();
  // The first answer of a server takes longer than the proxy waits on a busy machine.
  const token = await userToken('ada');
  await createMemory({ url: server.origin, token }).context('Hello?', { channel: 'sms' });
  model = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? {} : JSON.parse(text);
    asked.push({ path: request.url ?? '', headers: request.headers, body });
    if (request.url === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json', 'x-model': 'stub' });
      return response.end('{"object":"list","data":[]}');
    }
    if (!body.stream) {
      const message = { role: 'assistant', content: ANSWER };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ choices: [{ index: 0, message }] }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, content] of WORDS.entries()) {
      if (index === 1) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
      );
    }
    return response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  upstream = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  model.closeAllConnections();
  model.close();
  await server[Symbol.asyncDispose]();
});

let proxies: RunningExample[] = [];
let user: string;
let tests = 0;
beforeEach(() => {
  tests += 1;
  user = `user-${tests}`;
  asked = [];
});
afterEach(async () => {
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  proxies = [];
});

/** Starts the proxy for a user, with a client of it. */
async function start(memoryUrl = server.origin) {
  const { secret } = await keyFor(server, user, 'ALL');
  const proxy = runExampleFile('openai-proxy/proxy.ts', {
    OPENAI_BASE_URL: upstream,
    PORT: '0',
    MNEMOGRAPH_URL: memoryUrl,
    MNEMOGRAPH_API_KEY: secret,
  });
  proxies.push(proxy);
  const [, baseURL = ''] = await proxy.until(/with memory: (\S+)\n/);
  const client = new OpenAI({ baseURL, apiKey: 'key of the client', maxRetries: 0 });
  const memory = createMemory({ url: server.origin, apiKey: secret });
  return { proxy, client, memory };
}

const ask = (content: string) => ({
  model: 'stub',
  messages: [
    { role: 'system' as const, content: 'You are a guide.' },
    { role: 'user' as const, content },
  ],
});

type Turns = { viewer: { turns: { edges: { node: { role: string; text: string } }[] } } };
const saidIn = async (memory: ReturnType<typeof createMemory>) => {
  const query = '{ viewer { turns(first: 20) { edges { node { role text } } } } }';
  const { viewer } = await memory.request<Turns>(query);
  return viewer.turns.edges.map(({ node }) => `${node.role} ${node.text}`);
};

it('the proxy has at most 150 lines', async () => {
  const text = await readFile(
    new URL('../../examples/openai-proxy/proxy.ts', import.meta.url),
    'utf8',
  );
  expect(text.split('\n').length).toBeLessThanOrEqual(151);
});

it('the proxy refuses pages of other sites, and other names of this machine', async () => {
  const { client } = await start();
  const url = `${client.baseURL}/chat/completions`;
  const send = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(ask('My account is PT50.')) });
  const port = new URL(url).port;
  for (const origin of ['https://other.example', 'null', 'http://localhost.other.example']) {
    expect((await send({ origin })).status).toBe(403);
  }
  expect(await statusByName(`other.example:${port}`, port)).toBe(403);
  expect(asked).toEqual([]);
  expect((await send({ origin: 'http://localhost:3000' })).status).toBe(200);
  expect(await statusByName(`localhost:${port}`, port)).toBe(200);
});

/** The status of a request that names the proxy so. */
const statusByName = (host: string, port: string) =>
  new Promise((resolve, reject) => {
    const request = { host: '127.0.0.1', port, path: '/v1/models', headers: { host } };
    get(request, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });

it('the proxy adds what is known, passes the authorization on, and remembers both sides', async () => {
  const { client, memory } = await start();
  await memory.remember('I am vegetarian.', { channel: 'sms' });
  await server.world.settle();
  const { choices } = await client.chat.completions.create(ask('Where shall I eat?'));
  expect(choices[0]?.message.content).toBe(ANSWER);
  const [call] = asked;
  expect(call?.path).toBe('/v1/chat/completions');
  expect(call?.headers.authorization).toBe('Bearer key of the client');
  const { messages = [] } = call?.body ?? {};
  expect(messages.map(({ role }) => role)).toEqual(['system', 'system', 'user']);
  expect(messages[0]?.content).toBe('You are a guide.');
  expect(messages[1]?.content).toMatch(/^<memory>[\s\S]*vegetarian/);
  await expect
    .poll(() => saidIn(memory))
    .toEqual(['USER I am vegetarian.', 'USER Where shall I eat?', `ASSISTANT ${ANSWER}`]);
}, 60_000);

it('a stream passes through the proxy as it comes, and is remembered', async () => {
  const { client, memory } = await start();
  const stream = await client.chat.completions.create({ ...ask('Where?'), stream: true });
  const deltas: string[] = [];
  for await (const { choices } of stream) {
    deltas.push(choices[0]?.delta.content ?? '');
    // The model waits here: a proxy that collects the stream would never get this far.
    if (deltas.length === 1) goOn();
  }
  expect(deltas).toEqual(WORDS);
  await expect.poll(() => saidIn(memory)).toEqual(['USER Where?', `ASSISTANT ${ANSWER}`]);
}, 60_000);

it('when memory is away the proxy passes the call through, and other paths always', async () => {
  const { client, proxy } = await start('http://127.0.0.1:9');
  const { choices } = await client.chat.completions.create(ask('Where shall I eat?'));
  expect(choices[0]?.message.content).toBe(ANSWER);
  expect(asked[0]?.body).toEqual(ask('Where shall I eat?'));
  await proxy.until(/Mnemograph is away/);
  const { response } = await client.models.list().withResponse();
  expect(response.headers.get('x-model')).toBe('stub');
  expect(asked[1]?.headers.authorization).toBe('Bearer key of the client');
}, 60_000);

it('when the model is away the proxy says so', async () => {
  const { secret } = await keyFor(server, user, 'ALL');
  const proxy = runExampleFile('openai-proxy/proxy.ts', {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    PORT: '0',
    MNEMOGRAPH_URL: server.origin,
    MNEMOGRAPH_API_KEY: secret,
  });
  proxies.push(proxy);
  const [, baseURL = ''] = await proxy.until(/with memory: (\S+)\n/);
  const client = new OpenAI({ baseURL, apiKey: 'key', maxRetries: 0 });
  await expect(client.chat.completions.create(ask('Where?'))).rejects.toMatchObject({
    status: 502,
  });
}, 60_000);
