import { fileURLToPath } from 'node:url';
import { builtFile } from '../../tools/support/built-file.ts';

const QUIET = '--disable-warning=DeprecationWarning';

/** Returns the arguments of Node.js to run one of the server's commands as npm does. */
export const command = (name: string, ...args: string[]): string[] => [
  QUIET,
  builtFile(`cli/${name}`),
  ...args,
];

/** Returns the arguments of Node.js to run one of the tools, by its path in `tools/`. */
export const tool = (name: string, ...args: string[]): string[] => [
  QUIET,
  ...['--import', 'tsx'],
  fileURLToPath(new URL(`../../tools/${name}.ts`, import.meta.url)),
  ...args,
];
