import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** An empty project in which the packed client is installed. */
type Project = AsyncDisposable & {
  folder: string;
  /** Runs a program of the project, without environment variables. @returns what it prints */
  run(file: string, text: string, ...args: string[]): Promise<string>;
};

/** Packs the client as it was built, and installs it in an empty project. */
export async function createProject(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-project-'));
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  // What the client depends on comes from here, so that nothing is downloaded.
  const packed = ['packages/client', 'node_modules/eventsource-parser'].map((name) => {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    return run('npm', [...args, join(ROOT, name)]);
  });
  const files = (await Promise.all(packed)).map(({ stdout }) => `./${stdout.trim()}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: folder });
  return {
    folder,
    async run(file, text, ...args) {
      await writeFile(join(folder, file), text);
      return (await run(process.execPath, [file, ...args], { cwd: folder, env: {} })).stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
