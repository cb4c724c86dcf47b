import { channel } from 'node:diagnostics_channel';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { asUser, createTestServer, type TestServer } from '../../support/server.ts';

/** Bodies of this size are parsed in a round of the event loop of their own: a client may leave before. */
const PAD = 'x'.repeat(100_000);

let server: TestServer;
let ann: { authorization: string };
beforeAll(async () => {
  server = await createTestServer({ MAX_STREAMS_PER_USER: '1' });
  ann = await asUser('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

const began = channel('http.server.request.start');
type Began = { request: IncomingMessage; response: ServerResponse };
const responses: ServerResponse[] = [];
/** Ends the connection of a client that leaves as soon as its whole request has arrived. */
const cutOff = (message: unknown) => {
  const { request: received, response } = message as Began;
  if (received.headers['x-leaves'] === undefined) return;
  responses.push(response);
  received.once('end', () => received.socket.destroy());
};
began.subscribe(cutOff);
afterAll(() => began.unsubscribe(cutOff));
afterEach(() => {
  responses.length = 0;
});

const send = (path: string, body: object, headers: Record<string, string>) =>
  new Promise<string>((resolve) => {
    const type = { 'content-type': 'application/json' };
    const options = { method: 'POST', headers: { ...type, ...headers } };
    const sent = request(`${server.origin}${path}`, options, async (response) => {
      for await (const part of response) {
        sent.destroy();
        return resolve(`${response.statusCode} ${part}`);
      }
    });
    sent.on('error', () => resolve('closed'));
    sent.end(JSON.stringify(body));
  });

const listen = (pad: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: ['memory://recent'] }, pad },
});
const LISTENING = { accept: 'application/json, text/event-stream' };

it('a host that leaves when its request has arrived keeps no place among the streams', async () => {
  for (let time = 0; time < 2; time += 1) {
    const leaves = { ...LISTENING, ...ann, 'x-leaves': '' };
    expect(await send('/mcp', listen(PAD), leaves)).toBe('closed');
  }
  expect(await send('/mcp', listen(''), { ...LISTENING, ...ann })).not.toContain(
    'TOO_MANY_STREAMS',
  );
});

it('the body of a client that leaves when it has arrived is not parsed', async () => {
  using parse = vi.spyOn(JSON, 'parse');
  const body = { query: '{ __typename }', variables: { pad: PAD } };
  expect(await send('/graphql', body, { ...ann, 'x-leaves': '' })).toBe('closed');
  await server.post({ query: '{ viewer { turnCount } }' }, ann);
  expect(parse.mock.calls.filter(([text]) => text.length > PAD.length)).toEqual([]);
});

it('the response to a client that leaves when its request has arrived is not kept', async () => {
  const accept = { ...ann, accept: 'text/event-stream', 'x-leaves': '' };
  const body = { query: '{ __typename }', variables: { pad: PAD } };
  expect(await send('/graphql', body, accept)).toBe('closed');
  await server.post({ query: '{ viewer { turnCount } }' }, ann);
  const [response] = responses as [ServerResponse];
  expect(response.closed).toBe(true);
  const destroyed = vi.spyOn(response, 'destroy');
  // A server that stops ends all streams that it follows.
  await server.stop();
  expect(destroyed).not.toHaveBeenCalled();
});
