import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server that was started with `npx mnemograph`. */
export type NpxServer = AsyncDisposable & {
  printed(): string;
  env: Record<string, string>;
  /** Stops it by SIGTERM. @throws if it does not end with code 0 */
  stop(): Promise<void>;
};

const READY_WITHIN = 60_000;
const STOP_WITHIN = 15_000;

/** Starts the server that is installed in a folder, with these settings and a path only, and waits for the lines to paste. */
export async function startWithNpx(
  folder: string,
  settings: Record<string, string>,
): Promise<NpxServer> {
  // biome-ignore lint/style/noProcessEnv: where npx and node are, not how the server is set up
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...settings };
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
  const dispose = async () => {
    // The whole group: the server must not outlive npx.
    if (!ended && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
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
    env,
    async stop() {
      child.kill('SIGTERM');
      const force = setTimeout(() => void dispose(), STOP_WITHIN);
      const [code, signal] = await exited;
      clearTimeout(force);
      if (code !== 0) throw new Error(`npx mnemograph ended with ${signal ?? code}:\n${text}`);
    },
    [Symbol.asyncDispose]: dispose,
  };
}
