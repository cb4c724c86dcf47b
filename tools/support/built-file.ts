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

/** What a build compiles. The types that are generated for the client leave nothing in it. */
const SOURCES = ['src/', 'packages/client/src/'];
const COMPILED = /^(?!generated\/graphql).*\.(ts|mjs)$/;

function newestSource(): number {
  const times = SOURCES.flatMap((source) => {
    const folder = fileURLToPath(new URL(source, ROOT));
    const files = readdirSync(folder, { recursive: true }) as string[];
    return files
      .filter((file) => COMPILED.test(file))
      .map((file) => statSync(`${folder}${file}`).mtimeMs);
  });
  return Math.max(...times);
}
