import { builtFile } from '../../src/cli/built-file.ts';

/** What to give Node to run one of the project's commands as npm does. */
export const command = (name: string, ...args: string[]): string[] => [
  '--disable-warning=DeprecationWarning',
  builtFile(`cli/${name}`),
  ...args,
];
