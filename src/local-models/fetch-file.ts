import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress.ts';

/**
 * Fetches a file; it is there whole or not at all.
 * @returns false when there is no such file
 * @throws Error in words for whoever set the address
 */
export async function fetchFile(
  url: string,
  path: string,
  fetched: (progress: Progress) => void,
): Promise<boolean> {
  const { host } = new URL(url);
  const response = await fetch(url).catch((cause) => {
    throw new Error(`${host} does not answer`, { cause });
  });
  // The hub answers so too where it does not want to say whether there is something.
  if ([401, 403, 404].includes(response.status)) return false;
  if (!response.ok || !response.body) throw new Error(`${host} answers ${response.status}`);
  const total = Number(response.headers.get('content-length') ?? 0);
  let loaded = 0;
  const count = async function* (parts: AsyncIterable<Uint8Array>) {
    for await (const part of parts) {
      loaded += part.length;
      fetched({ loaded, total });
      yield part;
    }
  };
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.part`;
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, count, createWriteStream(unfinished));
  await rename(unfinished, path);
  return true;
}
