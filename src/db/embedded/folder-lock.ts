import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Another living process works with this data folder. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked';
  readonly code = 'DATA_FOLDER_LOCKED';
  readonly folder: string;
  /** Null when the holder was too busy to say. */
  readonly pid: number | null;
  constructor(folder: string, holder: Holder) {
    const process = holder.pid === null ? 'another process' : `process ${holder.pid}`;
    const where = holder.host === null || holder.host === hostname() ? '' : ` on ${holder.host}`;
    super(
      `The data folder ${folder} is in use by ${process}${where}. Talk to that server, stop it, or choose another folder.`,
    );
    this.folder = folder;
    this.pid = holder.pid;
  }
}

type Holder = { pid: number | null; host: string | null; held: boolean };

const PREFIX = 'lock-';
const PATIENCE_MS = 10_000;

/**
 * Locks a folder against other processes, until disposed or the process ends in whatever way.
 *
 * Everyone who wants the folder listens on a Unix socket of their own in it and only then looks
 * for others: of two, the later to listen sees the earlier. The kernel closes the sockets of a
 * dead process, so a stale lock refuses connections, whoever has its process id now; and sockets
 * are seen from other containers that share the folder.
 *
 * @param folder an absolute path, for messages
 * @param alias a short path to the same folder: a socket's path holds at most 103 bytes
 * @throws {DataFolderLocked}
 */
export async function lockFolder(folder: string, alias: string): Promise<AsyncDisposable> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const own = `${PREFIX}${randomBytes(4).toString('hex')}`;
    const attempt = await listen(join(alias, own));
    const rival = await findRival(alias, own);
    if (!rival && (await exists(join(alias, own)))) {
      attempt.hold();
      return attempt;
    }
    await attempt[Symbol.asyncDispose]();
    if (rival && (rival.held || Date.now() > deadline)) throw new DataFolderLocked(folder, rival);
    // Two arrived at once and both stepped back.
    await delay(20 + Math.random() * 200);
  }
}

async function listen(path: string) {
  const holder: Holder = { pid: process.pid, host: hostname(), held: false };
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
    // Closing also removes the socket's file.
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

/** The first other process that answers. Removes the sockets of the dead. */
async function findRival(alias: string, own: string): Promise<Holder | null> {
  const names = await readdir(alias);
  for (const name of names.filter((each) => each.startsWith(PREFIX) && each !== own)) {
    const path = join(alias, name);
    const holder = await ask(path);
    if (holder) return holder;
    await rm(path, { force: true });
  }
  return null;
}

/** Who listens there; null when nobody does any more. */
function ask(path: string): Promise<Holder | null> {
  return new Promise((resolve) => {
    let answer = '';
    const busy: Holder = { pid: null, host: null, held: true };
    const socket = connect(path);
    socket.setTimeout(2000, () => {
      socket.destroy();
      resolve(busy);
    });
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer === '' ? null : JSON.parse(answer)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const dead = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK', 'ECONNRESET'].includes(error.code ?? '');
      resolve(dead ? null : busy);
    });
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
