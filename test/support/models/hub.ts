import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A model hub on this machine. */
export type Hub = AsyncDisposable & {
  url: string;
  /** The methods and paths of all requests. */
  asked: string[];
  /** Delays all answers until the returned function is called. */
  hold(): () => void;
};

/** Serves the files of a folder as the hub serves those of the repository "owner/name", at any revision. */
export async function startHub(repository: string, folder: string): Promise<Hub> {
  const asked: string[] = [];
  let delay: Promise<void> | null = null;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://hub.test');
    asked.push(`${request.method} ${pathname}`);
    await delay;
    const [, file] = pathname.match(new RegExp(`^/${repository}/resolve/[^/]+/(.+)$`)) ?? [];
    const content = await readFile(join(folder, file ?? '')).catch(() => null);
    if (content === null) {
      response.writeHead(404).end();
      return;
    }
    const size = String(content.length);
    response.writeHead(200, { 'content-length': size, 'accept-ranges': 'none', etag: `"${size}"` });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    hold() {
      let release = () => {};
      delay = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
