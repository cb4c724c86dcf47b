import { setTimeout as delay } from 'node:timers/promises';
import { hasWork } from '../../../src/cli/support/memory-client.ts';
import { timeRangeIn } from '../../../src/language/en/time/time-phrases.ts';
import { pickOne } from '../../support/random.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import type { Sent } from './send.ts';

type Client = Pick<ServerProcess, 'request'>;

const SAMPLE = 10;
const RECALL = `query ($input: RecallInput!) {
  recall(input: $input) {
    ... on RecallPayload { vectors hits { ... on TurnHit { turn { id } } explain { bm25Rank vectorRank similarity } } }
    ... on Error { message }
  }
}`;
type Hit = {
  turn: { id: string };
  explain: { bm25Rank: number | null; vectorRank: number | null; similarity: number | null };
};

/** How long the background work may make no progress, in milliseconds. Its total time depends on the machine. */
const STILL = 120_000;
const POLL_EVERY = 250;

/**
 * Waits until the users have no due background steps, and recalls a sample of their turns.
 * @returns a line for each turn that is not found by words and by vectors
 */
export async function checkIndexed(
  client: Client,
  sent: readonly Sent[],
  random: () => number,
): Promise<string[]> {
  for (const userId of new Set(sent.map(({ call }) => call.userId))) {
    if (!(await settles(client, userId))) return [`${userId} has due background steps left`];
  }
  const stored = sent.filter(({ ids }) => ids !== null);
  const problems: string[] = [];
  for (let count = 0; count < Math.min(SAMPLE, stored.length); count += 1) {
    const entry = pickOne(random, stored);
    const place = Math.floor(random() * entry.call.turns.length);
    problems.push(...(await checkFound(client, entry, place)));
  }
  return problems;
}

const PROGRESS = `query ($userId: String!) {
  user(userId: $userId) {
    backlog { turnsToIndex turnsToEmbed turnsToSegment turnsToCapture threadsToCompact }
    events(last: 1) { edges { node { number } } }
    jobs(first: 100) { edges { node { step attempts } } }
  }
}`;

/** Waits for the background work. @returns false if it makes no progress for `STILL` */
async function settles(client: Client, userId: string): Promise<boolean> {
  let seen = '';
  let since = performance.now();
  while (await hasWork(client, userId)) {
    const now = JSON.stringify(await client.request<object>(PROGRESS, { userId }));
    if (now !== seen) since = performance.now();
    if (performance.now() - since > STILL) return false;
    seen = now;
    await delay(POLL_EVERY);
  }
  return true;
}

async function checkFound(client: Client, { call, ids }: Sent, place: number): Promise<string[]> {
  const { text = '', idempotencyKey: key } = call.turns[place] ?? {};
  // A random text may name another time ("last may"), in which it was not said.
  if (timeRangeIn(text, new Date(), 'UTC')) return [];
  const hits = await recall(client, call.userId, text);
  const hit = hits.find(({ turn }) => turn.id === ids?.[place]);
  if (!hit) return [`turn ${key} is not recalled by its own words`];
  if (hit.explain.bm25Rank === null) return [`turn ${key} has no keywords`];
  return (hit.explain.similarity ?? 0) < 0.95 ? [`turn ${key} has no right vector`] : [];
}

/** Repeats the recall while the query's vector is not ready in time. */
async function recall(client: Client, userId: string, query: string) {
  const deadline = performance.now() + STILL;
  for (;;) {
    type Answer = { recall: { vectors?: string; hits?: Hit[]; message?: string } };
    const input = { userId, query, first: 10, kinds: ['TURN'] };
    const { recall: result } = await client.request<Answer>(RECALL, { input });
    if (!result.hits) throw new Error(`The recall failed: ${result.message}`);
    if (result.vectors === 'USED' || performance.now() > deadline) return result.hits;
    await delay(100);
  }
}
