import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory, type Memory } from '@mnemograph/client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { command } from './command.ts';
import { createTestServer, type TestServer } from './server.ts';
import { userToken } from './world.ts';

/** What a run of the hook gave. */
type Ran = { code: number | null; out: string; problems: string };

/** A session of an agent, with a user of its own. */
export type Session = {
  server: TestServer;
  user: string;
  memory: Memory;
  /** A folder for all tests of the file. */
  folder: string;
  /** The path of the transcript, which the test writes. */
  transcript: string;
  /** Runs the compiled command as an agent does. Without `input`, standard input stays open. */
  hook(input: object | string | null, how?: How): Promise<Ran>;
  /** The JSON of an event of this session. */
  event(name: string, more?: object): object;
  /** What is remembered, oldest first. */
  turns(): Promise<StoredTurn[]>;
};

type How = { args?: string[]; env?: Record<string, string> };
type StoredTurn = {
  role: string;
  text: string;
  channel: string;
  occurredAt: string;
  thread: { id: string; title: string };
};

/** A deadline that is long enough on a busy machine, too. */
export const PATIENT = ['--timeout', '25000'];

const TURNS =
  '{ viewer { turns(first: 100) { edges { node { role text channel occurredAt thread { id title } } } } } }';

/** A server for a file of tests, and a session for each test. */
export function useSession(): () => Session {
  let server: TestServer;
  let folder: string;
  let session: Session;
  let tests = 0;
  beforeAll(async () => {
    server = await createTestServer();
    folder = await mkdtemp(join(tmpdir(), 'mnemograph-hook-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tests += 1;
    session = await openSession(server, folder, `user-${tests}`);
  });
  return () => session;
}

async function openSession(server: TestServer, folder: string, user: string): Promise<Session> {
  const token = await userToken(user);
  const memory = createMemory({ url: server.origin, token });
  const transcript = join(folder, `${user}.jsonl`);
  const settings = {
    MNEMOGRAPH_URL: server.origin,
    MNEMOGRAPH_API_KEY: token,
    MNEMOGRAPH_HOOK_STATE: join(folder, 'state'),
  };
  return {
    ...{ server, user, memory, folder, transcript },
    hook: (input, { args = PATIENT, env = {} } = {}) =>
      runHook(input, { ...settings, ...env }, args),
    event: (hook_event_name, more = {}) => ({
      session_id: `session of ${user}`,
      transcript_path: transcript,
      cwd: '/home/ada/shop',
      hook_event_name,
      ...more,
    }),
    async turns() {
      type Answer = { viewer: { turns: { edges: { node: StoredTurn }[] } } };
      const { viewer } = await memory.request<Answer>(TURNS);
      return viewer.turns.edges.map(({ node }) => node);
    },
  };
}

function runHook(
  input: object | string | null,
  env: Record<string, string>,
  args: string[],
): Promise<Ran> {
  const child = spawn(process.execPath, command('mnemograph', 'hook', ...args), { env });
  const ran: Ran = { code: null, out: '', problems: '' };
  child.stdout.on('data', (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.problems += chunk;
  });
  // A hook that ends before it has read everything closes the pipe.
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ran, code })));
}

/** A line of a transcript as Claude Code writes it. */
export function line(type: 'user' | 'assistant', content: unknown, more: object = {}): string {
  const uuid = `${type}-${JSON.stringify(content).slice(0, 80)}`;
  const entry = { type, uuid, timestamp: '2026-03-01T09:00:00.000Z' };
  return `${JSON.stringify({ ...entry, message: { role: type, content }, ...more })}\n`;
}

/** The content of a message with these words only. */
export const words = (text: string) => [{ type: 'text', text }];
