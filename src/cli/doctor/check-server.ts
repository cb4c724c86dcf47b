import { createMemory, type Memory, MemoryError } from '@mnemograph/client';
import { isLoopback } from '../../config/address.ts';
import type { Config } from '../../config/config.ts';
import { VERSION } from '../../config/version.ts';
import { embedderFinding } from './check-embedder.ts';
import { type Finding, findingsAbout, reasonOf } from './finding.ts';
import { deadJobsFinding } from './jobs.ts';

const { ok, warning, problem } = findingsAbout('server');

/** Which server to look at. */
export type Address = {
  url: string;
  apiKey: string | undefined;
  /** Whether somebody named it, and so expects that it runs; else it is where the settings would start one. */
  isNamed: boolean;
  /** The settings of the server; null if it may have others. */
  config: Config | null;
};

const WITHIN = 5_000;
/** What to do about a reason of /readyz; docs/operations.md says more. */
const READY_ADVICE: Readonly<Record<string, string>> = {
  STOPPING: 'nothing: the process is shutting down',
  DATABASE_AWAY: 'make the database reachable again; the server recovers by itself',
  DISK_LOW: 'free some space or enlarge the disk',
  MODEL_LOADING: 'wait; until then recall uses keywords only',
  MODEL_FAILED: 'see docs/models.md; it is tried again each minute',
  MIGRATIONS_PENDING: 'run "mnemograph migrate" or restart the server',
  BACKLOG_STALLED: 'look at the log and at the metric mnemograph_job_age_seconds',
};

/** Looks at a server through its own doors. */
export async function checkServer(address: Address): Promise<Finding[]> {
  const { isNamed } = address;
  const url = address.url.replace(/\/(graphql\/?)?$/, '');
  const health = await get(`${url}/healthz`);
  if (health instanceof Error) {
    const message = `nothing answers at ${url}: ${reasonOf(health)}`;
    return isNamed
      ? [problem(message, 'start the server, or correct the address')]
      : [ok(`the address ${url} is free, and no server runs there`)];
  }
  if (health.status !== 200 || health.text !== 'ok') {
    const advice = isNamed
      ? 'correct the address'
      : 'set PORT to another one, or stop that program';
    return [problem(`something other than Mnemograph answers at ${url}`, advice)];
  }
  return [ok(`it runs at ${url}`), await readiness(url), ...(await access({ ...address, url }))];
}

async function readiness(url: string): Promise<Finding> {
  const ready = await get(`${url}/readyz`);
  if (ready instanceof Error) {
    return problem(`it does not say whether it is ready: ${reasonOf(ready)}`, 'look at its log');
  }
  if (ready.status === 200) return ok('it is ready');
  const { reason = '', message = ready.text } = parse(ready.text);
  const found = reason === 'MODEL_LOADING' || reason === 'STOPPING' ? warning : problem;
  return found(
    `it is not ready: ${message.replace(/\.$/, '')}`,
    READY_ADVICE[reason] ?? 'look at its log',
  );
}

type ServerSession = {
  kind: 'LOCAL' | 'USER' | 'ALL_USERS';
  userId: string | null;
  access: string;
  keyName: string | null;
};
const SESSION = '{ session { kind userId access keyName } }';

async function access(address: Address): Promise<Finding[]> {
  const { url, apiKey } = address;
  const open = await sessionAt(createMemory({ url, retries: 0, timeout: WITHIN }));
  const isOpen = !(open instanceof MemoryError);
  if (isOpen && !isLoopback(new URL(url).hostname)) {
    return [
      problem(
        `it is open to everybody who reaches ${url}`,
        'create an API key, or set PUBLIC_URL to the address that clients use',
      ),
    ];
  }
  if (!apiKey) {
    if (isOpen) {
      const memory = createMemory({ url, retries: 0, timeout: WITHIN });
      return [
        ok('it needs no credentials, from this machine only'),
        ...(await inside(memory, address)),
      ];
    }
    const advice = 'set MNEMOGRAPH_API_KEY so that the doctor sees its jobs too';
    return [warning(`it does not let the doctor in without a key: ${reasonOf(open)}`, advice)];
  }
  const memory = createMemory({ url, apiKey, retries: 0, timeout: WITHIN });
  const session = await sessionAt(memory);
  if (session instanceof MemoryError) {
    const message = `it does not accept the key: ${reasonOf(session)}`;
    return [problem(message, 'create another one with "mnemograph keys create NAME"')];
  }
  const { kind, userId, access: permits, keyName } = session;
  const whose = kind === 'ALL_USERS' ? 'for all users' : `for the user "${userId}"`;
  const name = keyName === null ? 'the token' : `the key "${keyName}"`;
  return [
    ok(`it accepts ${name}, which acts ${whose} with access ${permits}`),
    ...(kind === 'USER' ? [] : await inside(memory, address)),
  ];
}

const sessionAt = (memory: Memory): Promise<ServerSession | MemoryError> =>
  memory.request<{ session: ServerSession }>(SESSION).then(
    ({ session }) => session,
    (error: unknown) => {
      if (error instanceof MemoryError) return error;
      throw error;
    },
  );

type Inside = {
  deployment: { version: string; embedder: string | null; backlog: number; deadJobs: number };
  embedding: { turnsPending: number } | null;
};
const INSIDE = '{ deployment { version embedder backlog deadJobs } embedding { turnsPending } }';

/** What only an operator sees: jobs, and what the server runs on. */
async function inside(memory: Memory, { config }: Address): Promise<Finding[]> {
  const found = await memory.request<Inside>(INSIDE).catch((error: unknown) => {
    if (error instanceof MemoryError) return error;
    throw error;
  });
  if (found instanceof MemoryError) {
    return [problem(`it did not report its state: ${reasonOf(found)}`, 'look at its log')];
  }
  const { deployment, embedding } = found;
  const { version, embedder, backlog, deadJobs } = deployment;
  const pending = embedding?.turnsPending ?? 0;
  return [
    version === VERSION
      ? ok(`its version is ${version}`)
      : warning(`its version is ${version}, and this one is ${VERSION}`, 'use the same version'),
    ...(config && embedder !== null ? embedderFinding([embedder], config) : []),
    ok(`${backlog} jobs wait or run, and ${pending} turns wait for vectors`),
    deadJobsFinding(deadJobs),
  ];
}

async function get(url: string): Promise<{ status: number; text: string } | Error> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(WITHIN), redirect: 'manual' });
    return { status: response.status, text: (await response.text()).trim() };
  } catch (error) {
    return error as Error;
  }
}

function parse(text: string): { reason?: string; message?: string } {
  try {
    return JSON.parse(text) as { reason?: string; message?: string };
  } catch {
    return {};
  }
}
