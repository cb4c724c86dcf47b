import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ROOT = new URL('../../../', import.meta.url);
/** What the page may load: the client as it is published, and what it depends on. */
const FOLDERS: Record<string, string> = {
  client: 'packages/client/dist/',
  parser: 'node_modules/eventsource-parser/dist/',
};

const PAGE = `<!doctype html>
<script type="importmap">
  { "imports": { "@mnemograph/client": "/client/index.js", "eventsource-parser": "/parser/index.js" } }
</script>
<script type="module">
  import { createMemory } from '@mnemograph/client';
  const { userId, ...options } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  globalThis.numbers = [];
  for await (const { number } of createMemory(options).as(userId).events()) numbers.push(number);
</script>`;

/** Serves a page that follows the events of a memory, under an origin of its own. */
export async function servePage(): Promise<AsyncDisposable & { origin: string }> {
  const http = createServer(async ({ url = '/' }, response) => {
    const [, folder = '', file = ''] = /^\/(\w+)\/([\w-]+\.js)$/.exec(url) ?? [];
    const place = FOLDERS[folder];
    if (place === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
      return;
    }
    const text = await readFile(new URL(`${place}${file}`, ROOT));
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
