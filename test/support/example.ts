import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** An example that runs as its README says. */
export type RunningExample = AsyncDisposable & {
  /** What it has printed so far, problems included. */
  printed(): string;
  /** Waits until it has printed something that matches. @throws when it has ended before */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Types a line. */
  type(line: string): void;
  exited: Promise<number | null>;
};

/** Runs an example with these variables only. @param file its path in `examples/` */
export function runExampleFile(file: string, env: Record<string, string>): RunningExample {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', `examples/${file}`], {
    cwd: ROOT,
    env,
  });
  let text = '';
  let ended = false;
  /** Says `more` when the example has printed something. */
  const progress = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk;
      progress.emit('more');
    });
  }
  const exited = once(child, 'close').then(([code]) => {
    ended = true;
    return code as number | null;
  });
  return {
    printed: () => text,
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found;
        if (ended) throw new Error(`The example has ended without ${pattern}:\n${text}`);
        await Promise.race([exited, once(progress, 'more')]);
      }
    },
    type: (line) => void child.stdin?.write(`${line}\n`),
    exited,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill('SIGKILL');
      await exited;
    },
  };
}
