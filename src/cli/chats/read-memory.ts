import type { GraphQLClient } from '../graphql-over-http.ts';
import type { Placed } from './tell-chat.ts';

type Client = Pick<GraphQLClient, 'request'>;

export type ActiveFact = { category: string; polarity: string; statement: string; value: string };

/** A closed segment; `turns` are numbers of the file. */
export type MadeSegment = {
  id: string;
  turns: number[];
  capture: string;
  reason: string;
  title: string | null;
  summary: string | null;
};

/** What a server has made of a person's talk. */
export type Memory = {
  facts: ActiveFact[];
  segments: MadeSegment[];
  /** Threads by the number of the turn in the file. */
  threadOf: ReadonlyMap<number, string>;
  /** Pairs of threads that a decision holds together. */
  linked: [string, string][];
};

type Page<Node> = {
  edges: { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
};

const SEGMENT = 'id firstTurn lastTurn capture captureReason title summary thread { id }';
const LISTS = {
  facts: 'list: facts(PAGE) { edges { node { category polarity statement value } } INFO }',
  segments: `list: episodes(kind: SEGMENT, PAGE) { edges { node { ${SEGMENT} } } INFO }`,
  links: 'list: links(PAGE) { edges { node { joins thread { id } earlierThread { id } } } INFO }',
};

/** All nodes of a list of a user. */
async function readAll<Node>(client: Client, userId: string, list: keyof typeof LISTS) {
  const paged = LISTS[list]
    .replace('PAGE', 'first: 100, after: $after')
    .replace('INFO', 'pageInfo { hasNextPage endCursor }');
  const query = `query Read($userId: String!, $after: String) { user(userId: $userId) { ${paged} } }`;
  const nodes: Node[] = [];
  for (let after: string | null = null; ; ) {
    const { user }: { user: { list: Page<Node> } } = await client.request(query, { userId, after });
    nodes.push(...user.list.edges.map(({ node }) => node));
    if (!user.list.pageInfo.hasNextPage) return nodes;
    after = user.list.pageInfo.endCursor;
  }
}

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

/** Reads what a server has made of a person's talk; facts as they hold now. */
export async function readMemory(
  client: Client,
  userId: string,
  placed: readonly Placed[],
): Promise<Memory> {
  const facts = await readAll<ActiveFact>(client, userId, 'facts');
  const segments = await readAll<Segment>(client, userId, 'segments');
  const links = await readAll<Link>(client, userId, 'links');
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
