import { defineConfig } from 'vite';

const { MNEMOGRAPH_URL = 'http://localhost:4000' } = process.env;

export default defineConfig({
  root: import.meta.dirname,
  server: { proxy: { '/graphql': MNEMOGRAPH_URL } },
});
