import { setTimeout as delay } from 'node:timers/promises';
import type { Memory } from '@mnemograph/client';
import type { GraphQLClient } from './graphql-over-http.ts';
import { readAll } from './read-all.ts';

type Client = Pick<GraphQLClient, 'request'>;

/** One turn of a past conversation; `occurredAt` in RFC 3339. */
export type PastTurn = { speaker: string; text: string; occurredAt: string };

/** Turns in one import call: few enough to stay below about 2 MB and to show progress. */
const IMPORT_AT_ONCE = 1_000;
/** How often the state of the server is polled, in milliseconds. */
const POLL_EVERY = 100;

/** How long an import of many turns may take, in milliseconds. */
export const IMPORT_WITHIN = 600_000;

/**
 * Imports a conversation in several calls.
 * @param self the name of the user in the turns; null = the first speaker of each call
 * @param turns the oldest first
 * @param onStored called after each call with the number of turns stored by it
 * @throws when the server did not store every turn
 */
export async function importTurns(
  memory: Memory,
  self: string | null,
  turns: readonly PastTurn[],
  onStored: (count: number) => void = () => {},
): Promise<void> {
  for (let start = 0; start < turns.length; start += IMPORT_AT_ONCE) {
    const part = turns.slice(start, start + IMPORT_AT_ONCE);
    const conversation = { self: self ?? part[0]?.speaker ?? '', turns: part };
    const { stored } = await memory.importConversation(conversation, { timeout: IMPORT_WITHIN });
    if (stored !== part.length)
      throw new Error(`Only ${stored} of ${part.length} turns were stored.`);
    onStored(stored);
  }
}

/** Jobs that are due later than this, in milliseconds from now, are planned; the others count as work. */
const PLANNED_AFTER = 60_000;

/** A turn in the form in which applications send it. */
export type SentTurn = {
  role: string;
  speaker?: string | null | undefined;
  text: string;
  occurredAt: string;
  toolCalls?: object[] | null | undefined;
};

const REMEMBER = `mutation Remember($input: RememberInput!) {
  remember(input: $input) {
    __typename
    ... on RememberPayload { turns { status } }
    ... on Error { message }
    ... on InvalidInputError { issues { path message } }
  }
}`;

/** Sends up to 500 turns of a channel in one `remember` call. @throws when the server refuses them */
export async function rememberTurns(
  client: Client,
  userId: string,
  channel: string,
  turns: readonly SentTurn[],
  newThread?: { title: string },
): Promise<void> {
  const { remember } = await client.request<{ remember: { __typename: string } }>(REMEMBER, {
    input: { userId, channel, turns, ...(newThread ? { newThread } : {}) },
  });
  if (remember.__typename !== 'RememberPayload') throw new Error(JSON.stringify(remember));
}

const CONFIGURE = `mutation Configure($userId: String!, $capture: CaptureSettingsInput!) {
  configureUser(userId: $userId, capture: $capture) { __typename }
}`;

/** Changes a user's settings so that every closed segment becomes an episode. */
export const captureEverything = (client: Client, userId: string): Promise<object> =>
  client.request(CONFIGURE, { userId, capture: { everything: true } });

/** A closed segment: a range of turns of a thread. */
export type ClosedSegment = {
  firstTurn: number;
  lastTurn: number;
  capture: string;
  captureReason: string;
  captureSignals: Record<string, number> | null;
  thread: { id: string; turnCount: number };
};

const SEGMENTS = {
  field: 'episodes',
  filter: 'kind: SEGMENT,',
  fields: `firstTurn lastTurn capture captureReason thread { id turnCount }
    captureSignals { notability outcome telling factShare novelty surprise similarity }`,
};

/** Returns a user's closed segments, the latest first. */
export const closedSegments = (client: Client, userId: string): Promise<ClosedSegment[]> =>
  readAll(client, userId, SEGMENTS);

type Job = {
  step: string;
  state: string;
  attempts: number;
  runAt: string;
  lastError: string | null;
};

const JOBS = `query Jobs($userId: String!) {
  user(userId: $userId) { jobs(first: 20) { edges { node { step state attempts runAt lastError } } } }
}`;

/**
 * Whether a user's memory has jobs that are due within a minute, running, or to be retried.
 * @param step limits the question to one step
 * @throws when a job is dead
 */
export async function hasWork(client: Client, userId: string, step?: string): Promise<boolean> {
  const all = await jobsOf(client, userId);
  const jobs = all.filter((job) => step === undefined || job.step === step);
  const dead = jobs.find((job) => job.state === 'DEAD');
  if (dead) throw new Error(`${dead.step} of ${userId} failed for good: ${dead.lastError}`);
  return jobs.some(
    (job) => job.state !== 'WAITING' || Date.parse(job.runAt) <= Date.now() + PLANNED_AFTER,
  );
}

/** Describes a user's jobs, one line each. */
export const workOf = async (client: Client, userId: string): Promise<string[]> =>
  (await jobsOf(client, userId)).map(
    ({ step, state, attempts, runAt, lastError }) =>
      `${step} ${state} at ${runAt}, ${attempts} attempts${lastError ? `, ${lastError}` : ''}`,
  );

async function jobsOf(client: Client, userId: string): Promise<Job[]> {
  const { user } = await client.request<{ user: { jobs: { edges: { node: Job }[] } } | null }>(
    JOBS,
    { userId },
  );
  return user?.jobs.edges.map(({ node }) => node) ?? [];
}

const INDEXING = `query Indexing($userId: String!) {
  user(userId: $userId) { backlog { turnsToIndex turnsToEmbed } }
}`;

/** Returns how many turns of a user cannot be found yet, by keywords and by semantic similarity together; 0 without a memory. */
export async function backlogOf(client: Client, userId: string): Promise<number> {
  type Answer = { user: { backlog: { turnsToIndex: number; turnsToEmbed: number } } | null };
  const { user } = await client.request<Answer>(INDEXING, { userId });
  return user ? user.backlog.turnsToIndex + user.backlog.turnsToEmbed : 0;
}

/** Waits until all turns of a user can be found by keywords and by semantic similarity. */
export async function untilFound(client: Client, userId: string): Promise<void> {
  while ((await backlogOf(client, userId)) > 0) await delay(POLL_EVERY);
}

/**
 * Waits until these users have no work left, except jobs that are planned for later.
 * @param onSettled called for each user when that is so
 */
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

const LAST_EVENT = `query Last($userId: String!) {
  user(userId: $userId) { events(last: 1) { edges { node { number } } } }
}`;

/** Returns the number of a user's newest event; 0 if there is none. */
export async function lastEventOf(client: Client, userId: string): Promise<number> {
  const { user } = await client.request<{
    user: { events: { edges: { node: { number: number } }[] } };
  }>(LAST_EVENT, { userId });
  return user.events.edges[0]?.node.number ?? 0;
}

export type RecallVariables = {
  userId: string;
  query: string;
  first: number;
  kinds?: string[];
  asOf?: string;
  vector?: { embedder: string; values: number[] };
};

export type RecalledTurn = { speaker: string | null; text: string; occurredAt: string };

export const RECALL = `query Recall($input: RecallInput!) {
  recall(input: $input) {
    __typename
    ... on RecallPayload { vectors hits { score ... on TurnHit { turn { id speaker text occurredAt } } } }
    ... on Error { message }
  }
}`;

type RecallAnswer = {
  recall: { __typename: string; vectors: string; hits: { turn: RecalledTurn }[] };
};

/** Recalls turns, the best first, and how vectors were used. Only turns unless `kinds` says otherwise. @throws when the server refuses the query */
export async function recallTurns(
  client: Client,
  input: RecallVariables,
): Promise<{ turns: RecalledTurn[]; vectors: string }> {
  const { recall: result } = await client.request<RecallAnswer>(RECALL, {
    input: { kinds: ['TURN'], ...input },
  });
  if (result.__typename !== 'RecallPayload') throw new Error(JSON.stringify(result));
  return { turns: result.hits.map(({ turn }) => turn), vectors: result.vectors };
}
