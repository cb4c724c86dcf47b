import { execFile } from 'node:child_process';
import { command } from './command.ts';

/** Runs the command like `npm run demo`, without settings. */
export function demo(...args: string[]): Promise<{ code: number; out: string; problems: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      command('demo', ...args),
      { env: {} },
      (_error, out, problems) => resolve({ code: child.exitCode ?? -1, out, problems }),
    );
  });
}
