import { fsyncSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Stream = { nfd?: number };
type Emscripten = {
  FS: { filesystems: { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number } } } };
};

/**
 * PGlite's files in a folder, with an fsync that reaches the disk: PGlite 0.5 has none (its
 * files' `fsync` does nothing), so a commit would survive our own death but no power cut.
 */
export function durableFolder(folder: string): NodeFS {
  const files = new NodeFS(folder);
  const init = files.init.bind(files);
  files.init = async (db, options) => {
    const { emscriptenOpts } = await init(db, options);
    const addFsync = (module: unknown) => {
      (module as Emscripten).FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        return 0;
      };
    };
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] },
    };
  };
  return files;
}

/** Brings a whole folder to the disk: a new one is copied into place without any fsync. */
export async function syncFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncFolder(path);
    else if (entry.isFile()) await syncPath(path);
  }
  await syncPath(folder);
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path);
  await file.sync();
  await file.close();
}
