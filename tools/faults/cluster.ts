import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandFailed } from '../../src/cli/support/run-command.ts';

/** A separate PostgreSQL server that can be stopped and started. Removed on dispose. */
export type Cluster = AsyncDisposable & {
  url: string;
  /** Stops it, waits for some milliseconds, and starts it again. */
  restart(awayFor: number): Promise<void>;
};

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const run = promisify(execFile);

export async function startCluster(): Promise<Cluster> {
  if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) {
    throw new CommandFailed(
      'PostgreSQL 15 is not installed: run scripts/install-postgres.sh first.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-cluster-'));
  const port = await freePort();
  const start = async () =>
    (await run(join(SCRIPTS, 'start-postgres.sh'), [folder, String(port)])).stdout.trim();
  const stop = () => run(join(SCRIPTS, 'stop-postgres.sh'), [folder]);
  const url = await start();
  return {
    url,
    async restart(awayFor) {
      await stop();
      await delay(awayFor);
      await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
