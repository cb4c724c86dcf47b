import { fileURLToPath } from 'node:url';
import { builtFile } from '../../tools/support/built-file.ts';

const QUIET = '--disable-warning=DeprecationWarning';

/** What to give Node to run one of the server's commands as npm does. */
export const command = (name: string, ...args: string[]): string[] => [
  QUIET,
  builtFile(`cli/${name}`),
  ...args,
];

/** The same for one of the tools, by its path in `tools/`. */
export const tool = (name: string, ...args: string[]): string[] => [
  QUIET,
  ...['--import', 'tsx'],
  fileURLToPath(new URL(`../../tools/${name}.ts`, import.meta.url)),
  ...args,
];
