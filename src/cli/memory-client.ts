import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLClient } from './graphql-over-http.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** One utterance of a conversation of the past; `occurredAt` in RFC 3339. */
export type PastTurn = { speaker: string; text: string; occurredAt: string };

/** Turns an import call carries: some 2 MB at most, and progress to show. */
const IMPORT_AT_ONCE = 1_000;
const POLL_EVERY = 100;

const IMPORT = `mutation Import($input: ImportConversationInput!) {
  importConversation(input: $input) {
    __typename
    ... on ImportPayload { stored }
    ... on Error { message }
    ... on InvalidInputError { issues { path message } }
  }
}`;

/**
 * Imports a conversation, oldest turn first, and calls back after each part. Without `self`, who
 * speaks first in a part is the user.
 * @throws when it is refused
 */
export async function importTurns(
  client: Client,
  userId: string,
  self: string | null,
  turns: readonly PastTurn[],
  onStored: (count: number) => void = () => {},
): Promise<void> {
  for (let start = 0; start < turns.length; start += IMPORT_AT_ONCE) {
    const part = turns.slice(start, start + IMPORT_AT_ONCE);
    const { importConversation: result } = await client.request<{
      importConversation: { __typename: string; stored: number };
    }>(IMPORT, { input: { userId, self: self ?? part[0]?.speaker, turns: part } });
    if (result.__typename !== 'ImportPayload' || result.stored !== part.length) {
      throw new Error(`Not every turn of ${userId} was stored: ${JSON.stringify(result)}`);
    }
    onStored(part.length);
  }
}

/** Steps that are planned for later, when nothing is left to do now. */
const PLANNED = new Set(['idle-thread', 'trim-events', 'drop-vectors']);

type Job = { step: string; state: string; runAt: string; lastError: string | null };

const JOBS = `query Jobs($userId: String!) {
  user(userId: $userId) { jobs(first: 20) { edges { node { step state runAt lastError } } } }
}`;

/** Whether a user's memory has work that is due, running or to be repeated. @throws when a step is dead */
export async function hasWork(client: Client, userId: string): Promise<boolean> {
  const { user } = await client.request<{ user: { jobs: { edges: { node: Job }[] } } | null }>(
    JOBS,
    { userId },
  );
  const jobs = user?.jobs.edges.map(({ node }) => node) ?? [];
  const dead = jobs.find((job) => job.state === 'DEAD');
  if (dead) throw new Error(`${dead.step} of ${userId} failed for good: ${dead.lastError}`);
  return jobs.some(
    (job) =>
      !PLANNED.has(job.step) || job.state !== 'WAITING' || Date.parse(job.runAt) <= Date.now(),
  );
}

/** Waits until nothing is left to do for these users but what is planned for later. */
export async function untilSettled(
  client: Client,
  userIds: readonly string[],
  onSettled: (userId: string) => void = () => {},
): Promise<void> {
  for (const userId of userIds) {
    while (await hasWork(client, userId)) await delay(POLL_EVERY);
    onSettled(userId);
  }
}

export type RecallInput = {
  userId: string;
  query: string;
  first: number;
  asOf?: string;
  vector?: { embedder: string; values: number[] };
};

export type RecalledTurn = { speaker: string | null; text: string; occurredAt: string };

export const RECALL = `query Recall($input: RecallInput!) {
  recall(input: $input) {
    __typename
    ... on RecallPayload { vectors hits { score turn { id speaker text occurredAt } } }
    ... on Error { message }
  }
}`;

type RecallAnswer = {
  recall: { __typename: string; vectors: string; hits: { turn: RecalledTurn }[] };
};

/** The turns that answer a question, best first, and how vectors were used. @throws when it is refused */
export async function recall(
  client: Client,
  input: RecallInput,
): Promise<{ turns: RecalledTurn[]; vectors: string }> {
  const { recall: result } = await client.request<RecallAnswer>(RECALL, { input });
  if (result.__typename !== 'RecallPayload') throw new Error(JSON.stringify(result));
  return { turns: result.hits.map(({ turn }) => turn), vectors: result.vectors };
}
