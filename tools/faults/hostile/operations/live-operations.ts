import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { call, operation } from '../call.ts';
import { type HostileOperation, openConnections, type Target } from './bounded.ts';

const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) { __typename } }`;
const EVENTS = 'subscription { memoryEvents { number kind turns { text } } }';
const SOCKETS = 30;
const EACH = 100;
const SILENT_CONNECTIONS = 2_000;
const SILENT_SOCKETS = 500;
/** How long to wait for events, and to keep idle sockets open, in milliseconds. */
const OPEN_FOR = 4_000;

async function open({ url }: Target, token: string): Promise<Client> {
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    lazy: false,
    retryAttempts: 0,
    // The connection may be refused: only the effect on other users matters.
    onNonLazyError: () => {},
  });
  await Promise.race([
    new Promise((resolve) => client.on('connected', resolve)),
    new Promise((resolve) => client.on('closed', resolve)),
  ]);
  return client;
}

/** A user opens 3,000 subscriptions to their own memory and sends one message. */
const subscriptions: HostileOperation = async (target) => {
  const clients = await Promise.all(
    Array.from({ length: SOCKETS }, () => open(target, target.token)),
  );
  let received = 0;
  const count = () => {
    received += 1;
  };
  for (const client of clients) {
    for (let own = 0; own < EACH; own += 1) {
      client.subscribe({ query: EVENTS }, { next: count, error: () => {}, complete: () => {} });
    }
  }
  await delay(OPEN_FOR / 2);
  const turns = Array.from({ length: 20 }, (_, index) => ({ text: `Message ${index}.` }));
  const input = { channel: 'sms', turns };
  const { status } = await call(target.url, target.token, { body: operation(REMEMBER, { input }) });
  await delay(OPEN_FOR);
  await Promise.all(clients.map((client) => client.dispose()));
  return status === 200 && received > 0
    ? []
    : [`${received} events came, the message got ${status}`];
};

/** Idle connections whose tokens expire in 30 million years, which overflows a timer. */
const farTokens: HostileOperation = async (target) => {
  const token = await target.tokenOf(target.userId, 1e15);
  const clients = await Promise.all(Array.from({ length: 5 }, () => open(target, token)));
  await delay(OPEN_FOR);
  await Promise.all(clients.map((client) => client.dispose()));
  return [];
};

/** Connections that send nothing, and WebSockets that ask for nothing. They may be refused. */
const silent: HostileOperation = async (target) => {
  const connections = openConnections(target.url, SILENT_CONNECTIONS);
  const clients = await Promise.all(
    Array.from({ length: SILENT_SOCKETS }, () => open(target, target.token)),
  );
  await delay(OPEN_FOR);
  for (const socket of connections) socket.destroy();
  await Promise.all(clients.map((client) => client.dispose()));
  return [];
};

/** Attacks by connections that stay open. */
export const LIVE_OPERATIONS: Record<string, HostileOperation> = {
  'silent-connections': silent,
  'subscriptions-3000': subscriptions,
  'tokens-of-30-million-years': farTokens,
};
