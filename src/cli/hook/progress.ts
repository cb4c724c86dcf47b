import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How far a session is remembered. It only saves work: the turns' keys prevent that anything is stored twice. */
type Progress = {
  /** The bytes of the transcript that are done. */
  offset: number;
  /** How many turns of the line that begins there are done, too: a long one may take more than one run. */
  parts: number;
  /** The thread of the session; null before its first turn. */
  threadId: string | null;
};

const NONE: Progress = { offset: 0, parts: 0, threadId: null };

/** Where the progress of one session is kept. */
export type ProgressFile = {
  read(): Promise<Progress>;
  save(progress: Progress): Promise<void>;
};

/** @param name the name of the session's file, without its ending */
export function progressIn(folder: string, name: string): ProgressFile {
  const file = join(folder, `${name}.json`);
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return parse(text);
    },
    async save(progress) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Whole or not at all, also if the agent ends this process.
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, JSON.stringify(progress), { mode: 0o600 });
      await rename(draft, file);
    },
  };
}

/** A file that is missing or damaged means that nothing is done yet. */
function parse(text: string): Progress {
  try {
    const { offset, parts = 0, threadId } = JSON.parse(text) as Partial<Progress>;
    if (!isCount(offset) || !isCount(parts)) return NONE;
    return { offset, parts, threadId: typeof threadId === 'string' ? threadId : null };
  } catch {
    return NONE;
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
