import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/**
 * Returns the path of a module in the output of `npm run build`.
 * @param name the module without folder and extension, such as `cli/demo`
 * @throws if this process runs from sources that have changed since the build
 */
export function builtFile(name: string): string {
  const file = fileURLToPath(new URL(`dist/${name}.js`, ROOT));
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (import.meta.url.endsWith('.ts') && built < newestSource()) {
    throw new Error('The sources have changed since the last build: run "npm run build".');
  }
  return file;
}

function newestSource(): number {
  const folder = fileURLToPath(new URL('src/', ROOT));
  const files = readdirSync(folder, { recursive: true }) as string[];
  const sources = files.filter((file) => /\.(ts|mjs)$/.test(file));
  return Math.max(...sources.map((file) => statSync(`${folder}${file}`).mtimeMs));
}
