import { mkdir, readdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';

// Bundles the server and its commands into dist/: a start reads a few dozen files instead of 1,500, which takes a third less time
// and 20 MB less memory. What is in src/ keeps its path: commands, and the modules that threads load.

/** Packages that stay in node_modules/: they read files beside them, start threads of their own, or are optional. */
const EXTERNAL = [
  '@electric-sql/*',
  '@graphql-yoga/render-graphiql',
  '@huggingface/transformers',
  'compromise/*',
  'node-llama-cpp',
  'pg-native',
  'pino',
  'piscina',
];

/** The database from which an embedded server begins; it is made anew for other migrations only (src/db/embedded/embedded-image.ts). */
const IMAGE = 'embedded-image-';

await mkdir('dist', { recursive: true });
for (const name of await readdir('dist')) {
  if (!name.startsWith(IMAGE)) await rm(`dist/${name}`, { recursive: true });
}
await build({
  entryPoints: [
    'src/main.ts',
    'src/cli/*.ts',
    'src/db/embedded/embedded-worker.ts',
    'src/embedder/built-in/built-in-worker.ts',
    'src/embedder/local/worker.ts',
    'src/indexer/read-texts.ts',
    'src/language-threads/serve.ts',
    'src/reasoner/local/worker.ts',
  ],
  outbase: 'src',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  // Bundled CommonJS modules call it.
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
  },
  // Names are kept, and lines are short: the stack of an error says where it was. `node --enable-source-maps` says it by the sources.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
});
