import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress.ts';

/**
 * Downloads a file to `path`. The file appears there only when it is complete.
 * @returns false when the server has no such file
 * @throws Error with a message for the operator, when the server cannot be reached or answers with an error
 */
export async function fetchFile(
  url: string,
  path: string,
  fetched: (progress: Progress) => void,
): Promise<boolean> {
  const { host } = new URL(url);
  const response = await fetch(url).catch((cause) => {
    throw new Error(`${host} cannot be reached`, { cause });
  });
  // The hub also answers 401 or 403 for a model that does not exist, to keep private models secret.
  if ([401, 403, 404].includes(response.status)) return false;
  if (!response.ok || !response.body) throw new Error(`${host} answered ${response.status}`);
  const total = Number(response.headers.get('content-length') ?? 0);
  let loaded = 0;
  const countBytes = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      loaded += chunk.length;
      fetched({ loaded, total });
      yield chunk;
    }
  };
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.part`;
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(body, countBytes, createWriteStream(unfinished));
  await rename(unfinished, path);
  return true;
}
