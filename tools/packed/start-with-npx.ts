import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A server that was started with `npx mnemograph`. */
export type NpxServer = AsyncDisposable & {
  printed(): string;
  /** Sends SIGTERM to npx, and waits until the server has stopped as well. @throws if it does not */
  stop(): Promise<void>;
};

const READY_WITHIN = 60_000;
const STOP_WITHIN = 15_000;

/**
 * Starts the server that is installed in a folder, and waits for the lines to paste.
 * @param env all that it finds in its environment: settings, and where npx and node are
 */
export async function startWithNpx(
  folder: string,
  env: Record<string, string>,
): Promise<NpxServer> {
  const child = spawn('npx', ['--no-install', 'mnemograph'], { cwd: folder, env, detached: true });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let text = '';
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const killGroup = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  const dispose = async () => {
    if (!ended) killGroup();
    await exited;
  };
  const late = AbortSignal.timeout(READY_WITHIN);
  while (!text.includes('console.log(markdown);\n')) {
    if (ended || late.aborted) {
      await dispose();
      throw new Error(`npx mnemograph did not start:\n${text}`);
    }
    await Promise.race([once(child.stdout, 'data', { signal: late }).catch(() => null), exited]);
  }
  return {
    printed: () => text,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      // npx ends at once; a server that has stopped has let go of its folder.
      const late = AbortSignal.timeout(STOP_WITHIN);
      const isLocked = async () =>
        (await readdir(join(folder, 'data'))).some((name) => name.startsWith('lock-'));
      while (await isLocked()) {
        if (late.aborted) {
          killGroup();
          throw new Error(`The server outlived npx:\n${text}`);
        }
        await delay(50);
      }
    },
    [Symbol.asyncDispose]: dispose,
  };
}
