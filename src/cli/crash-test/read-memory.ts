import type { ServerProcess } from '../server-process.ts';

type Client = Pick<ServerProcess, 'request'>;

export type StoredTurn = {
  id: string;
  number: number;
  text: string;
  role: string;
  channel: string;
  thread: { id: string };
};
type StoredThread = { id: string; turnCount: number; state: string };
type StoredEvent = { number: number; kind: string; eventsErased: number; turns: { id: string }[] };

/** Everything the API tells of a user. */
export type Memory = {
  userId: string;
  turnCount: number;
  turns: StoredTurn[];
  threads: StoredThread[];
  events: StoredEvent[];
  /** Those that hold now. */
  facts: { id: string }[];
};

/** Reads a user's whole memory, page by page. */
export async function readMemory(client: Client, userId: string): Promise<Memory> {
  const { user } = await client.request<{ user: { turnCount: number } | null }>(
    'query ($userId: String!) { user(userId: $userId) { turnCount } }',
    { userId },
  );
  const read = <Node>(field: string, page: number, fields: string) =>
    readAll<Node>(client, userId, field, page, fields);
  return {
    userId,
    turnCount: user?.turnCount ?? 0,
    turns: await read('turns', 100, 'id number text role channel thread { id }'),
    threads: await read('threads', 100, 'id turnCount state'),
    events: await read('events', 50, 'number kind eventsErased turns { id }'),
    facts: await read('facts', 100, 'id'),
  };
}

type Page<Node> = {
  user: {
    list: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
  } | null;
};

/** All pages of a list of a user's. */
export async function readAll<Node>(
  client: Client,
  userId: string,
  field: string,
  first: number,
  fields: string,
): Promise<Node[]> {
  const query = `query ($userId: String!, $first: Int!, $after: String) {
    user(userId: $userId) {
      list: ${field}(first: $first, after: $after) {
        edges { node { ${fields} } } pageInfo { hasNextPage endCursor }
      }
    }
  }`;
  const nodes: Node[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { userId, first, after };
    const { user }: Page<Node> = await client.request<Page<Node>>(query, variables);
    nodes.push(...(user?.list.edges ?? []).map(({ node }) => node));
    after = user?.list.pageInfo.hasNextPage ? user.list.pageInfo.endCursor : null;
  } while (after !== null);
  return nodes;
}
