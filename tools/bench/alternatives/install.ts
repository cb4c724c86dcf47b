import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** The libraries to compare with. They are no dependencies of this project. */
export const ALTERNATIVES = {
  mem0ai: '3.3.1',
  '@langchain/langgraph-checkpoint': '1.2.2',
  '@langchain/langgraph-checkpoint-postgres': '1.0.5',
  '@langchain/core': '1.4.0',
  pg: '8.23.1',
} as const;

export type Installed = AsyncDisposable & {
  folder: string;
  load<Module>(name: string): Promise<Module>;
};

/** Installs the libraries into a temporary folder, without running their scripts. The folder is removed on dispose. */
export async function installAlternatives(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-alternatives-'));
  const place = join(folder, 'package.json');
  await writeFile(place, JSON.stringify({ private: true, dependencies: ALTERNATIVES }));
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  const { resolve } = createRequire(place);
  return {
    folder,
    load: (name) => import(pathToFileURL(resolve(name)).href),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
