import { close, type Dirent, fsync, fsyncSync, openSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Stream = { nfd?: number; node: object };
type StreamOperations = {
  write: (stream: Stream, ...rest: unknown[]) => number;
  fsync?: (stream: Stream) => number;
};
type Emscripten = {
  FS: {
    filesystems: { NODEFS: { stream_ops: StreamOperations; realPath(node: object): string } };
  };
};

/**
 * Returns PGlite's file system for a folder, with an fsync that reaches the disk. In PGlite 0.5 `fsync` does nothing, so a
 * commit would survive the end of this process but not a power cut.
 */
export function durableFolder(folder: string): NodeFS {
  const files = new NodeFS(folder);
  const init = files.init.bind(files);
  files.init = async (db, options) => {
    const { emscriptenOpts } = await init(db, options);
    const addFsync = (module: unknown) => syncToDisk(module as Emscripten);
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addFsync] },
    };
  };
  return files;
}

function syncToDisk({ FS }: Emscripten): void {
  const { NODEFS } = FS.filesystems;
  const operations = NODEFS.stream_ops;
  const { write } = operations;
  /** The files that were written since they were last synced. */
  const written = new Set<object>();
  operations.write = (stream, ...rest) => {
    written.add(stream.node);
    return write(stream, ...rest);
  };
  operations.fsync = ({ nfd, node }) => {
    if (nfd === undefined) return 0;
    // A commit syncs only the log; a sync of any other file is a checkpoint: start the other files too.
    if (written.delete(node) && written.size > 0 && !isOfLog(NODEFS.realPath(node))) {
      for (const other of written) syncAhead(NODEFS.realPath(other));
      written.clear();
    }
    fsyncSync(nfd);
    return 0;
  };
}

const isOfLog = (path: string): boolean => path.includes(`${sep}pg_wal${sep}`);

/**
 * Begins to sync a file. A checkpoint first writes all files and then syncs one after the other: if other threads sync them
 * at the same time, it takes a quarter of the time, during which the database can do nothing else. This is only a head start:
 * PostgreSQL waits for each file itself, by a descriptor of its own, so it learns of errors, too.
 */
function syncAhead(path: string): void {
  try {
    const file = openSync(path, 'r');
    fsync(file, () => close(file));
  } catch {
    // The file was deleted meanwhile (ENOENT), or there are too many open ones (EMFILE).
  }
}

/** Syncs a folder and all its files to the disk, those of a folder at the same time. */
export async function syncFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const pathOf = ({ name }: Dirent) => join(folder, name);
  await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(pathOf)
      .map(syncPath),
  );
  for (const entry of entries) if (entry.isDirectory()) await syncFolder(pathOf(entry));
  await syncPath(folder);
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path);
  await file.sync();
  await file.close();
}
