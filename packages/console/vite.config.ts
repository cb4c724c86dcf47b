import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `npm run dev` finds the server. */
const SERVER = 'http://localhost:4000';

/** Puts a compressed copy beside each file that is worth it. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const file = join(dir, name);
      const source = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(source));
      writeFileSync(`${file}.gz`, gzipSync(source));
    }
  },
});

export default defineConfig(({ command }) => ({
  // Relative, so that the console works below any path.
  base: command === 'build' ? './' : '/console/',
  plugins: [react(), tailwindcss(), compressed()],
  resolve: {
    alias: [
      {
        find: '@mnemograph/client/ws',
        replacement: `${import.meta.dirname}/../client/src/ws.ts`,
      },
      { find: '@mnemograph/client', replacement: `${import.meta.dirname}/../client/src/index.ts` },
    ],
  },
  server: {
    proxy: { '/graphql': { target: SERVER, ws: true }, '/export': SERVER, '/import': SERVER },
  },
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  logLevel: 'warn',
}));
