import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { HostileOperation, Target } from './bounded.ts';
import { call, operation } from './call.ts';

const REMEMBER = `mutation ($input: RememberInput!) { remember(input: $input) { __typename } }`;
const EVENTS = 'subscription { memoryEvents { number kind turns { text } } }';
const SOCKETS = 30;
const EACH = 100;
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
  let told = 0;
  const count = () => {
    told += 1;
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
  return status === 200 && told > 0 ? [] : [`${told} events came, the message got ${status}`];
};

/** Idle connections whose tokens expire in 30 million years, which overflows a timer. */
const farTokens: HostileOperation = async (target) => {
  const token = await target.tokenOf(target.userId, 1e15);
  const clients = await Promise.all(Array.from({ length: 5 }, () => open(target, token)));
  await delay(OPEN_FOR);
  await Promise.all(clients.map((client) => client.dispose()));
  return [];
};

/** Attacks by connections that stay open. */
export const LIVE_OPERATIONS: Record<string, HostileOperation> = {
  'subscriptions-3000': subscriptions,
  'tokens-of-30-million-years': farTokens,
};
