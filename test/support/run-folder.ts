import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for what the processes of one test run share. */
    runFolder: string;
  }
}

let folder: string;

/** Makes the folder before the run. */
export async function setup({ provide }: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'mnemograph-run-'));
  provide('runFolder', folder);
}

/** Removes it after the run. */
export const teardown = (): Promise<void> => rm(folder, { recursive: true, force: true });
