import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Manifest = { name: string; scripts?: Record<string, string>; gypfile?: boolean };

/** The scripts that npm runs when it installs a package. */
const AT_INSTALL = ['preinstall', 'install', 'postinstall'];

/** The folders of all packages in a folder `node_modules`, nested ones included. */
async function* packagesIn(folder: string): AsyncGenerator<string> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => !each.startsWith('.'))) {
    const path = join(folder, name);
    if (name.startsWith('@')) yield* packagesIn(path);
    else {
      yield path;
      yield* packagesIn(join(path, 'node_modules'));
    }
  }
}

/** The packages that would run something when they are installed. */
export async function scriptsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of packagesIn(folder)) {
    const { name, scripts = {}, gypfile } = await manifestOf(path);
    if (gypfile || AT_INSTALL.some((script) => script in scripts)) found.push(name);
  }
  return found;
}

/** All packages with their sizes, without packages inside them; the largest first. */
export async function largestIn(folder: string): Promise<{ name: string; megabytes: number }[]> {
  const found: { name: string; megabytes: number }[] = [];
  for await (const path of packagesIn(folder)) {
    const { name } = await manifestOf(path);
    const bytes = (await bytesIn(path)) - (await bytesIn(join(path, 'node_modules')));
    found.push({ name, megabytes: inMegabytes(bytes) });
  }
  return found.sort((a, b) => b.megabytes - a.megabytes);
}

/** The size of a file, or of all files in a folder. */
export const megabytesIn = async (path: string): Promise<number> =>
  inMegabytes(await bytesIn(path));

const inMegabytes = (bytes: number) => Math.round(bytes / 100_000) / 10;

const manifestOf = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));

async function bytesIn(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory()) return found?.size ?? 0;
  const sizes = await Promise.all((await readdir(path)).map((name) => bytesIn(join(path, name))));
  return sizes.reduce((total, size) => total + size, 0);
}
