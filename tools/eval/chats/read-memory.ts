import type { GraphQLClient } from '../../../src/cli/support/graphql-over-http.ts';
import { readAll } from '../../../src/cli/support/read-all.ts';
import type { Placed } from './send-chat.ts';

type Client = Pick<GraphQLClient, 'request'>;

export type ActiveFact = { category: string; polarity: string; statement: string; value: string };

/** A closed segment. `turns` are the numbers of its turns in the file. */
export type MadeSegment = {
  id: string;
  turns: number[];
  capture: string;
  reason: string;
  title: string | null;
  summary: string | null;
};

/** What the server derived from a person's conversations. */
export type Memory = {
  facts: ActiveFact[];
  segments: MadeSegment[];
  /** The thread of each turn, by the turn's number in the file. */
  threadOf: ReadonlyMap<number, string>;
  /** Pairs of threads that a link joins. */
  linked: [string, string][];
};

const LISTS = {
  facts: { field: 'facts', fields: 'category polarity statement value' },
  segments: {
    field: 'episodes',
    filter: 'kind: SEGMENT,',
    fields: 'id firstTurn lastTurn capture captureReason title summary thread { id }',
  },
  links: { field: 'links', fields: 'joins thread { id } earlierThread { id }' },
};

type Segment = {
  id: string;
  firstTurn: number;
  lastTurn: number;
  capture: string;
  captureReason: string;
  title: string | null;
  summary: string | null;
  thread: { id: string };
};
type Link = { joins: boolean; thread: { id: string }; earlierThread: { id: string } };

/** Reads what the server derived from a person's conversations; of facts, the active ones. */
export async function readMemory(
  client: Client,
  userId: string,
  placed: readonly Placed[],
): Promise<Memory> {
  const facts = await readAll<ActiveFact>(client, userId, LISTS.facts);
  const segments = await readAll<Segment>(client, userId, LISTS.segments);
  const links = await readAll<Link>(client, userId, LISTS.links);
  return {
    facts,
    segments: segments.map((segment) => ({
      id: segment.id,
      turns: placed
        .filter(({ thread, number }) => thread === segment.thread.id && isWithin(number, segment))
        .map(({ n }) => n),
      capture: segment.capture,
      reason: segment.captureReason,
      title: segment.title,
      summary: segment.summary,
    })),
    threadOf: new Map(placed.map(({ n, thread }) => [n, thread])),
    linked: links
      .filter(({ joins }) => joins)
      .map(({ thread, earlierThread }) => [thread.id, earlierThread.id]),
  };
}

const isWithin = (number: number, { firstTurn, lastTurn }: Segment) =>
  number >= firstTurn && number <= lastTurn;
