import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../../src/cli/node-options.ts';
import { builtFile } from '../../tools/support/built-file.ts';

const QUIET = '--disable-warning=DeprecationWarning';

/** Returns the arguments of Node.js to run one of the server's commands, with the options of the server. */
export const command = (name: string, ...args: string[]): string[] => [
  ...NODE_OPTIONS,
  builtFile(`cli/${name}`),
  ...args,
];

/** How a command ended, and what it printed. */
export type Ran = { code: number; out: string; problems: string };

/** Runs one of the server's commands as npm does, with these variables only. */
export const runCommand = (
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      command(name, ...args),
      { env },
      (_error, out, problems) => resolve({ code: child.exitCode ?? -1, out, problems }),
    );
  });

/** Returns the arguments of Node.js to run one of the tools, by its path in `tools/`. */
export const tool = (name: string, ...args: string[]): string[] => [
  QUIET,
  ...['--import', 'tsx'],
  fileURLToPath(new URL(`../../tools/${name}.ts`, import.meta.url)),
  ...args,
];
