import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another running process uses the data folder. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked';
  readonly code = 'DATA_FOLDER_LOCKED';
  readonly folder: string;
  /** The process that holds the lock; null if it was too busy to answer. */
  readonly pid: number | null;
  /** Where the server of that process is; null if it is none, or not ready yet. */
  readonly url: string | null;
  constructor(folder: string, holder: Holder) {
    const process = holder.pid === null ? 'another process' : `process ${holder.pid}`;
    const where = holder.host === null || holder.host === hostname() ? '' : ` on ${holder.host}`;
    const server = holder.url === null ? 'that server' : `the server at ${holder.url}`;
    super(
      `The data folder ${folder} is in use by ${process}${where}. Connect to ${server}, stop it, or choose another folder.`,
    );
    this.folder = folder;
    this.pid = holder.pid;
    this.url = holder.url;
  }
}

/** A process that has locked a folder, or tries to: what it says of itself, or null where it was too busy to answer. */
export type Holder = {
  pid: number | null;
  host: string | null;
  /** Where its server is; null if it is none, or not ready yet. */
  url: string | null;
  held: boolean;
};

/** The lock of a folder. */
export type FolderLock = AsyncDisposable & {
  /** Tells other processes that want the folder where the server of this one is. */
  recordAddress(url: string): void;
};

const PREFIX = 'lock-';
/** How long to retry while other processes try to lock the folder too, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Locks a folder against other processes, until the lock is disposed or this process ends, for whatever reason.
 *
 * Each process that wants the folder listens on a Unix socket of its own in it, and only then looks for others: of two
 * processes, the one that listens later sees the earlier one. The kernel closes the sockets of a dead process, so a stale
 * lock refuses connections, even if its process id is in use again. And other containers that share the folder see the
 * sockets too.
 *
 * @param folder an absolute path, for error messages
 * @param alias a short path to the same folder: the path of a socket has at most 103 bytes
 * @throws {DataFolderLocked} if another process holds the lock
 */
export async function lockFolder(folder: string, alias: string): Promise<FolderLock> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const ownName = `${PREFIX}${randomBytes(4).toString('hex')}`;
    const attempt = await listen(join(alias, ownName));
    const rival = await findRival(alias, ownName);
    if (!rival && (await exists(join(alias, ownName)))) {
      attempt.hold();
      return attempt;
    }
    await attempt[Symbol.asyncDispose]();
    if (rival && (rival.held || Date.now() > deadline)) throw new DataFolderLocked(folder, rival);
    // Two processes tried at once and both withdrew: try again after a random delay.
    await delay(20 + Math.random() * 200);
  }
}

/** Says who uses a folder, or is about to, and changes nothing in it. @returns null if no process does */
export async function holderOf(folder: string): Promise<Holder | null> {
  if (!(await exists(folder))) return null;
  const scratch = await mkdtemp(join(tmpdir().length < 60 ? tmpdir() : '/tmp', 'mg-'));
  try {
    // The path of a socket must be short.
    const alias = join(scratch, 'data');
    await symlink(resolve(folder), alias);
    const found: Holder[] = [];
    for (const name of await locksIn(alias)) {
      const holder = await askHolder(join(alias, name));
      if (holder) found.push(holder);
    }
    return found.find(({ held }) => held) ?? found[0] ?? null;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const locksIn = async (alias: string): Promise<string[]> =>
  (await readdir(alias)).filter((name) => name.startsWith(PREFIX));

async function listen(path: string) {
  const holder: Holder = { pid: process.pid, host: hostname(), url: null, held: false };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(JSON.stringify(holder));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  return {
    hold: () => {
      holder.held = true;
    },
    recordAddress: (url: string) => {
      holder.url = url;
    },
    // Closing also removes the socket's file.
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** Returns the first other process that answers; null if none does. Removes the sockets of dead processes. */
async function findRival(alias: string, ownName: string): Promise<Holder | null> {
  const names = await locksIn(alias);
  for (const name of names.filter((each) => each !== ownName)) {
    const path = join(alias, name);
    const holder = await askHolder(path);
    if (holder) return holder;
    await rm(path, { force: true });
  }
  return null;
}

/** Asks which process listens on a socket; null if none does any more. */
function askHolder(path: string): Promise<Holder | null> {
  return new Promise((answered) => {
    let answer = '';
    const busy: Holder = { pid: null, host: null, url: null, held: true };
    const socket = connect(path);
    socket.setTimeout(2000, () => {
      socket.destroy();
      answered(busy);
    });
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => answered(answer === '' ? null : JSON.parse(answer)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const dead = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ECONNRESET'].includes(error.code ?? '');
      answered(dead ? null : busy);
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
