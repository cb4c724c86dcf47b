import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/**
 * Returns the path of a module in the output of `npm run build` (`dist`) or `npm run build:modules` (`build`).
 * @param name the module without folder and extension, such as `cli/demo`
 * @throws if this process runs from sources that have changed since the build
 */
export function builtFile(name: string, folder: 'dist' | 'build' = 'dist'): string {
  const file = fileURLToPath(new URL(`${folder}/${name}.js`, ROOT));
  const isFromSource = import.meta.url.endsWith('.ts');
  if (isFromSource && !(isBuilt('', file) && isBuilt('packages/client/'))) {
    const script = folder === 'dist' ? 'build' : 'build:modules';
    throw new Error(`The sources have changed since the last build: run "npm run ${script}".`);
  }
  return file;
}

/** What a build compiles. The types that are generated for the client leave nothing in it. */
const COMPILED = /^(?!generated\/graphql).*\.(ts|mjs)$/;

/** Whether a file that the build of a package wrote is newer than all its sources. A build writes all or none. */
function isBuilt(path: string, file = fileURLToPath(new URL(`${path}dist/index.js`, ROOT))) {
  const folder = fileURLToPath(new URL(`${path}src/`, ROOT));
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = readdirSync(folder, { recursive: true }) as string[];
  return files.every(
    (name) => !COMPILED.test(name) || statSync(`${folder}${name}`).mtimeMs <= built,
  );
}
