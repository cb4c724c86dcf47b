import { dirname, resolve } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { builtFile } from './tools/support/built-file.ts';
import sources from './vitest.config.ts';

const ROOT = `${import.meta.dirname}/`;
/** A source that is compiled to a module of its own. That of the console is only bundled. */
const SOURCE = /^((?:packages\/(?!console\/)[^/]+\/)?)src\/(.+)\.ts$/;

/**
 * Tests the modules that `npm run build:modules` has compiled, loaded by Node. Compiling each source on the way takes a sixth
 * longer. Commands and servers that a test starts are those that users run, from `npm run build`.
 */
export default mergeConfig(sources, {
  plugins: [
    {
      name: 'built',
      enforce: 'pre',
      /** @throws if the build is older than the sources. Tools that only read this file, such as knip, need no build. */
      configResolved: () => {
        builtFile('main');
        builtFile('app', 'build');
      },
      resolveId(module: string, importer?: string) {
        const path =
          module.startsWith('.') && importer ? resolve(dirname(importer), module) : module;
        const [, folder, name] = path.replace(ROOT, '').match(SOURCE) ?? [];
        const output = folder === '' ? 'build' : 'dist';
        return name ? `${ROOT}${folder}${output}/${name}.js` : null;
      },
    },
  ],
  test: { server: { deps: { external: [/\/(build|dist)\/.*\.js$/] } } },
});
