import { defineConfig } from 'vite';

const { MNEMOGRAPH_URL = 'http://localhost:4000' } = process.env;

export default defineConfig({
  root: import.meta.dirname,
  // The server refuses pages of another host than the one that is asked: it must see the host of this page.
  server: { proxy: { '/graphql': { target: MNEMOGRAPH_URL, changeOrigin: false } } },
});
