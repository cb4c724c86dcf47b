import { MemoryError } from '@mnemograph/client';
import type { PastTurn } from '../../../src/cli/support/memory-client.ts';
import { pickOne } from '../../support/random.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Sent } from './send.ts';

type Client = Pick<ServerProcess, 'memory'>;

/** A turn to be forgotten; `done`: the request was acknowledged. */
export type Forgetting = { entry: Sent; place: number; done: boolean };
/** A thread that was closed, or a fact that was recorded, and acknowledged. */
type Closed = { userId: string; threadId: string };
type GivenFact = { userId: string; value: string; id: string };
/** An imported conversation; `done`: the import was acknowledged. */
type Imported = { userId: string; turns: PastTurn[]; done: boolean };

/** What a round did besides remembering turns. */
export type Acts = {
  forgets: Forgetting[];
  closed: Closed[];
  facts: GivenFact[];
  imports: Imported[];
};

export const noActs = (): Acts => ({ forgets: [], closed: [], facts: [], imports: [] });

/** After how many calls in a hundred each act follows. */
const SHARES = { forget: 8, close: 6, fact: 8, imported: 4 };
const IMPORTED = 20;
const APART = 20_000;
const LONG_AGO = Date.UTC(2024, 0, 1);

const THREAD = `query ($id: ID!) { node(id: $id) { ... on Turn { thread { id } } } }`;
const CLOSE = `mutation ($userId: String!, $id: ID!) {
  result: closeThread(userId: $userId, threadId: $id) { __typename ... on Error { message } }
}`;

/** After an acknowledged call: sometimes forgets, closes, records or imports something of that user. */
export async function actOn(
  client: Client,
  entry: Sent,
  acts: Acts,
  random: () => number,
): Promise<void> {
  const { forget: first, close, fact, imported } = SHARES;
  const dice = random() * 100;
  if (dice < first) return forgetOne(client, entry, acts, random);
  if (dice < first + close) return closeThread(client, entry, acts);
  if (dice < first + close + fact) return recordFact(client, entry, acts);
  if (dice < first + close + fact + imported) return importPast(client, entry, acts);
}

async function forgetOne(client: Client, entry: Sent, acts: Acts, random: () => number) {
  const place = pickOne(random, [...entry.call.turns.keys()]);
  const forgetting: Forgetting = { entry, place, done: false };
  acts.forgets.push(forgetting);
  await forget(client, forgetting);
}

/** Repeats the acts that were not acknowledged, so that all of them are done. */
export async function finishActs(client: Client, acts: Acts): Promise<void> {
  for (const forgetting of acts.forgets) {
    if (!forgetting.done) await forget(client, forgetting);
  }
  for (const own of acts.imports) {
    if (!own.done) await sendImport(client, own);
  }
}

async function forget({ memory }: Client, forgetting: Forgetting): Promise<void> {
  const { call, ids } = forgetting.entry;
  const turnId = ids?.[forgetting.place] ?? '';
  await memory
    .as(call.userId)
    .forget({ turnId })
    .catch((error) => {
      // It may have been done before the kill.
      if (!(error instanceof MemoryError && error.code === 'NOT_FOUND')) throw error;
    });
  forgetting.done = true;
}

async function closeThread({ memory }: Client, { call, ids }: Sent, { closed }: Acts) {
  type Found = { node: { thread?: { id: string } } | null };
  const { node } = await memory.request<Found>(THREAD, { id: ids?.[0] });
  if (!node?.thread) return;
  const own = { userId: call.userId, id: node.thread.id };
  const { result } = await memory.request<{ result: { __typename: string } }>(CLOSE, own);
  if (result.__typename === 'Thread') closed.push({ userId: own.userId, threadId: own.id });
}

async function recordFact({ memory }: Client, { call: { userId, turns } }: Sent, { facts }: Acts) {
  const value = `a thing called ${turns[0]?.idempotencyKey}`;
  const { id } = await memory.as(userId).facts.record({ category: 'INTEREST', value });
  facts.push({ userId, value, id });
}

async function importPast(client: Client, { call }: Sent, { imports }: Acts) {
  const name = call.turns[0]?.idempotencyKey;
  const turns = Array.from({ length: IMPORTED }, (_, place) => ({
    speaker: place % 2 === 0 ? 'Ada' : 'Bob',
    text: `This is line ${place} of the old talk ${name}.`,
    occurredAt: new Date(LONG_AGO + place * APART).toISOString(),
  }));
  const own: Imported = { userId: call.userId, turns, done: false };
  imports.push(own);
  await sendImport(client, own);
}

async function sendImport({ memory }: Client, own: Imported): Promise<void> {
  await memory.as(own.userId).importConversation({ self: 'Ada', turns: own.turns });
  own.done = true;
}
