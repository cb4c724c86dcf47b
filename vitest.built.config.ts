import { dirname, resolve } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { builtFile } from './tools/support/built-file.ts';
import sources from './vitest.config.ts';

const ROOT = `${import.meta.dirname}/`;
/** A source that the build compiles to a module of its own. That of the console it bundles. */
const SOURCE = /^((?:packages\/(?!console\/)[^/]+\/)?)src\/(.+)\.ts$/;

/**
 * Tests the output of `npm run build` instead of the sources: what users run, loaded by Node as they load it. Compiling each
 * source on the way takes a sixth longer.
 */
export default mergeConfig(sources, {
  plugins: [
    {
      name: 'built',
      enforce: 'pre',
      /** @throws if the build is older than the sources. Tools that only read this file, such as knip, need no build. */
      configResolved: () => void builtFile('app'),
      resolveId(module: string, importer?: string) {
        const path =
          module.startsWith('.') && importer ? resolve(dirname(importer), module) : module;
        const [, folder, name] = path.replace(ROOT, '').match(SOURCE) ?? [];
        return name ? `${ROOT}${folder}dist/${name}.js` : null;
      },
    },
  ],
  test: { server: { deps: { external: [/\/dist\/.*\.js$/] } } },
});
