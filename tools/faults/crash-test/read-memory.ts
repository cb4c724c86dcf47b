import { readAll } from '../../../src/cli/support/read-all.ts';
import type { ServerProcess } from '../../support/server-process.ts';

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

/** Everything that the API returns about a user. */
export type Memory = {
  userId: string;
  turnCount: number;
  turns: StoredTurn[];
  threads: StoredThread[];
  events: StoredEvent[];
  /** The active facts. */
  facts: { id: string }[];
};

/** Reads a user's whole memory, page by page. */
export async function readMemory(client: Client, userId: string): Promise<Memory> {
  const { user } = await client.request<{ user: { turnCount: number } | null }>(
    'query ($userId: String!) { user(userId: $userId) { turnCount } }',
    { userId },
  );
  const read = <Node>(field: string, first: number, fields: string) =>
    readAll<Node>(client, userId, { field, first, fields });
  return {
    userId,
    turnCount: user?.turnCount ?? 0,
    turns: await read('turns', 100, 'id number text role channel thread { id }'),
    threads: await read('threads', 100, 'id turnCount state'),
    events: await read('events', 50, 'number kind eventsErased turns { id }'),
    facts: await read('facts', 100, 'id'),
  };
}
